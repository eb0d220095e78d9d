// SPDX-License-Identifier: GPL-3.0-or-later
// Counts work in the background, for whoever must wait until there is none. Safe from any thread; a waiter resumes on its own executor.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/mutex.h"

namespace quarry {

class WorkCount {
 public:
  void begin() {
    const Lock lock(m_mutex);
    ++m_running;
  }
  void end() {
    std::vector<std::function<void(bool)>> waiters;
    {
      const Lock lock(m_mutex);
      if (--m_running == 0) waiters.swap(m_waiters);
    }
    for (const auto& wake : waiters) wake(true);
  }
  // Until nothing runs. REQUIRES: the object outlives the wait.
  Task<void> idle() {
    const auto start = [this](std::function<void(bool)> wake) {
      {
        const Lock lock(m_mutex);
        if (m_running > 0) {
          m_waiters.push_back(std::move(wake));
          return;
        }
      }
      wake(true);
    };
    co_await awaitCallback<bool>(start);
  }

 private:
  Mutex m_mutex;
  uint64_t m_running GUARDED_BY(m_mutex) = 0;
  std::vector<std::function<void(bool)>> m_waiters GUARDED_BY(m_mutex);
};

}  // namespace quarry
