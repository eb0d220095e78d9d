// SPDX-License-Identifier: GPL-3.0-or-later
// The loop threads: one io_context each, run by one thread, so that what lives on a loop needs no lock. Connections are spread over them;
// other parts may run coroutines on them too, as long as they never block.
//
// Threads: any. Ownership: whoever makes the pool destroys it after everything that runs on it.
// An exception out of a handler is our own bug and ends the process.
#pragma once

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace quarry::net {

class LoopPool {
 public:
  // Starts the threads, which are called NAME-0 and so on.
  explicit LoopPool(size_t loopCount = loopCountDefault(), const std::string& name = "loop");
  ~LoopPool();                                               // stop()
  LoopPool(const LoopPool&) = delete;
  LoopPool& operator=(const LoopPool&) = delete;

  size_t size() const { return m_loops.size(); }
  asio::io_context& loop(size_t index) { return m_loops[index]->context; }
  asio::io_context& nextLoop() { return loop(m_next.fetch_add(1, std::memory_order_relaxed) % m_loops.size()); }  // round robin

  // Ends the threads; what is still waiting on a loop is destroyed with the pool. Not from a loop thread.
  void stop();

  static size_t loopCountDefault();  // as many as there are cores

 private:
  struct Loop {
    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> guard{context.get_executor()};
    std::thread thread;
  };

  std::vector<std::unique_ptr<Loop>> m_loops;
  std::atomic<size_t> m_next = 0;
};

}  // namespace quarry::net
