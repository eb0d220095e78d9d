// SPDX-License-Identifier: GPL-3.0-or-later
// The heartbeat of a coroutine that does something every so often until it is told to stop.
// Threads: wait() from one coroutine, stop() from any thread. stop() also ends a wait underway.
#pragma once

#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <chrono>
#include <memory>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/base/spawn.h"

namespace quarry {

class Ticker {
 public:
  // True after the period, false once stopped.
  Task<bool> wait(std::chrono::steady_clock::duration period) {
    auto executor = co_await asio::this_coro::executor;
    auto timer = std::make_shared<asio::steady_timer>(executor, period);
    if (!arm(timer)) co_return false;
    co_return co_await expiry(*timer);
  }

  void stop() {
    const Lock lock(m_mutex);
    m_stopped = true;
    // A timer belongs to its executor: cancelled there.
    if (auto waiting = m_timer.lock()) asio::post(waiting->get_executor(), [waiting] { waiting->cancel(); });
  }

 private:
  bool arm(const std::shared_ptr<asio::steady_timer>& timer) {
    const Lock lock(m_mutex);
    m_timer = timer;
    return !m_stopped;
  }

  Mutex m_mutex;
  std::weak_ptr<asio::steady_timer> m_timer GUARDED_BY(m_mutex);  // the coroutine's: it must not outlive its executor
  bool m_stopped GUARDED_BY(m_mutex) = false;
};

}  // namespace quarry
