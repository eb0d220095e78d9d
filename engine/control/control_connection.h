// SPDX-License-Identifier: GPL-3.0-or-later
// One peer of the control socket: greets, cuts its bytes into requests, lets each run on its own, sends answers and notifications
// in the order they come up. Everything on the control thread. Shared by the server and by its own coroutines; gone after close().
//
// Bounds: requests unanswered (more get Busy), bytes of a request, bytes waiting to be sent (more: the peer does not read and is
// dropped). A peer that only closed its sending side still gets its answers.
#pragma once

#include <asio/local/stream_protocol.hpp>
#include <asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/control/control_api.h"
#include "engine/control/line_splitter.h"
#include "engine/protocol/codec.h"

namespace quarry {

struct ControlLimits {
  size_t connectionsMax = 64;
  size_t requestsMax = 64;                        // unanswered, per connection
  size_t requestBytesMax = 1024 * 1024;
  size_t sendBytesMax = 2 * protocol::lineBytesMax;  // waiting, per connection
};

class ControlConnection : public std::enable_shared_from_this<ControlConnection> {
 public:
  using Line = std::shared_ptr<const std::string>;  // shared by all that get the same notification

  ControlConnection(asio::local::stream_protocol::socket socket, ControlApi& api, const ControlLimits& limits);

  // Greets and serves until the peer leaves; onClosed is called once, then.
  void start(std::function<void()> onClosed);
  void send(Line line);
  // Sends the part of the sample that the peer subscribed to, if any.
  void sendSample(const protocol::StatSample& sample);
  void close();

 private:
  using Self = std::shared_ptr<ControlConnection>;
  static Task<void> readLoop(Self self);
  static Task<void> writeLoop(Self self);
  static Task<void> answer(Self self, protocol::RpcMessage request);

  void spawn(Task<void> task);
  bool takeLines();                 // false: read no more
  void handleLine(const std::string& line);
  void handleRequest(protocol::RpcMessage request);
  void subscribe(const protocol::RpcMessage& request);
  void reply(std::string line);
  void endReading();
  void closeWhenDone();

  asio::local::stream_protocol::socket m_socket;
  ControlApi& m_api;
  const ControlLimits m_limits;
  std::function<void()> m_onClosed;
  LineSplitter m_splitter;
  std::vector<char> m_readBuffer;
  asio::steady_timer m_wakeWriter;  // cancelled when there is something to send
  std::deque<Line> m_sendQueue;
  size_t m_sendBytes = 0;
  size_t m_requestCount = 0;
  std::vector<std::string> m_prefixes;  // subscribed; empty: none
  bool m_readEnded = false;
  bool m_closed = false;
};

}  // namespace quarry
