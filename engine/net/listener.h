// SPDX-License-Identifier: GPL-3.0-or-later
// Accepts TCP connections on one address and port and spreads them over the loops of a LoopPool.
//
// Threads: start() and stop() from one thread that is not a loop; counters() from any. Ownership: keeps every Connection until it ends;
// the pool (running) and the handler must outlive the listener.
// Failure: start() returns an Error whose message names address and port and says what to do.
// Limits: a new connection beyond connectionsPerAddressMax takes the place of its address's longest silent one, and one beyond connectionsMax
// that of the address with the most: nobody can shut the others out, and a host that comes back is let in.
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/base/result.h"
#include "engine/net/connection.h"
#include "engine/net/loop_pool.h"
#include "engine/net/peer_table.h"

namespace quarry::net {

struct ListenOptions {
  std::string address = "0.0.0.0";  // textual IPv4 or IPv6; "::" takes both
  uint16_t port = 0;                // 0: the system chooses one
  size_t connectionsMax = 1024, connectionsPerAddressMax = 256;
  uint64_t heldBytesMax = heldBytesMaxDefault;  // request memory of all connections: connection.h
};

class Listener {
 public:
  Listener(LoopPool& loops, RecordHandler& handler);
  ~Listener();  // stop() without patience; then waits for the requests that still run, for they use the handler
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  Result<uint16_t> start(const ListenOptions& options);  // the port it listens on

  // Accepts and reads nothing more, waits up to `patience` until what was read is answered, then closes what is left.
  // True when nothing had to be cut off.
  bool stop(std::chrono::milliseconds patience);

  const ConnectionCounters& counters() const { return *m_counters; }

 private:
  // What lives on one loop; touched on that loop only.
  struct LoopState {
    explicit LoopState(asio::io_context& io) : context(io), sweepTimer(io) {}
    asio::io_context& context;
    asio::steady_timer sweepTimer;
    std::unordered_set<std::shared_ptr<Connection>> connections;
    bool stopping = false;
  };

  static Task<void> acceptLoop(Listener& self, std::shared_ptr<std::promise<void>> ended);
  static Task<void> sweepLoop(std::shared_ptr<LoopState> state);
  void admit(std::shared_ptr<LoopState> state, asio::ip::tcp::socket socket);
  void makeRoomFor(const std::string& address);
  template <class Action>
  void onEachLoop(Action action);  // runs action(LoopState&) on each loop and waits for all

  LoopPool& m_loops;
  RecordHandler& m_handler;
  const std::shared_ptr<ConnectionCounters> m_counters = std::make_shared<ConnectionCounters>();
  std::unique_ptr<asio::ip::tcp::acceptor> m_acceptor;  // on loop 0
  std::unique_ptr<asio::steady_timer> m_retryTimer;     // on loop 0
  std::vector<std::shared_ptr<LoopState>> m_states;
  size_t m_nextLoop = 0;                                // on loop 0
  PeerTable m_peers;                                    // on loop 0
  ListenOptions m_options;                              // constant after start()
  std::future<void> m_acceptEnded;
};

}  // namespace quarry::net
