// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the store still takes writes. Once read-only it stays so until the engine starts again: after a failed sync nobody knows what
// the disk holds. Safe from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "engine/base/mutex.h"

namespace quarry {

class StoreHealth {
 public:
  bool isReadOnly() const { return m_readOnly.load(std::memory_order_acquire); }
  std::string reason() const {
    const Lock lock(m_mutex);
    return m_reason;
  }
  // The first reason stays. `onReadOnly` (set before the store serves) runs once, on the calling thread.
  void turnReadOnly(std::string reason) {
    std::function<void(const std::string&)> tell;
    {
      const Lock lock(m_mutex);
      if (m_readOnly.exchange(true)) return;
      m_reason = reason;
      tell = m_onReadOnly;
    }
    if (tell) tell(reason);
  }
  void setOnReadOnly(std::function<void(const std::string&)> onReadOnly) {
    const Lock lock(m_mutex);
    m_onReadOnly = std::move(onReadOnly);
  }

 private:
  std::atomic<bool> m_readOnly = false;
  mutable Mutex m_mutex;
  std::string m_reason GUARDED_BY(m_mutex);
  std::function<void(const std::string&)> m_onReadOnly GUARDED_BY(m_mutex);
};

}  // namespace quarry
