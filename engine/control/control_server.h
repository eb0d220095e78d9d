// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's side of the control protocol (engine/protocol/README.md): listens on a local socket, greets, answers each request
// through the ControlApi and fans out notifications.
//
// Threads: one of its own with its own io_context, on which every connection and every call of the ControlApi starts; publish(),
// publishSample() and executor() from any thread. What others spawned on executor() must have been told to end before stop().
// Failure: start() leaves nothing behind; later a failing connection only ends itself.
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "engine/base/result.h"
#include "engine/control/control_api.h"
#include "engine/control/control_connection.h"
#include "engine/control/control_socket.h"

namespace quarry {

class ControlServer {
 public:
  // The api outlives this.
  explicit ControlServer(ControlApi& api, ControlLimits limits = {});
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // Once. Locked: another engine listens on that socket.
  Result<void> start(const std::string& socketPath);
  // Closes the socket and the connections, waits for calls underway and ends the thread. Idempotent.
  void stop();

  // A notification to every connection; params is JSON text.
  void publish(std::string_view method, std::string_view params);
  // To each connection what it subscribed to.
  void publishSample(protocol::StatSample sample);
  // For light work that belongs to the control plane, such as the sampler.
  asio::any_io_executor executor() { return m_context.get_executor(); }

 private:
  static Task<void> acceptLoop(ControlServer& server);
  void admit(asio::local::stream_protocol::socket socket);

  ControlApi& m_api;
  const ControlLimits m_limits;
  asio::io_context m_context{1};
  ControlSocket m_socket;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> m_work;
  std::set<std::shared_ptr<ControlConnection>> m_connections;  // control thread only
  std::thread m_thread;
};

}  // namespace quarry
