// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the store still takes writes, and what of it turned out damaged. Once read-only it stays so until the engine starts again: after
// a failed sync nobody knows what the disk holds. Damage found by a read is told once for each message, at most damageToldMax times.
// Safe from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/base/result.h"

namespace quarry {

class StoreHealth {
 public:
  bool isReadOnly() const { return m_readOnly.load(std::memory_order_acquire); }
  std::string reason() const {
    const Lock lock(m_mutex);
    return m_reason;
  }
  // The first reason stays. `onReadOnly` runs once, on the calling thread; when it is set only after, then at once.
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
    std::string reason;
    {
      const Lock lock(m_mutex);
      m_onReadOnly = onReadOnly;
      if (m_readOnly) reason = m_reason;
    }
    if (onReadOnly && !reason.empty()) onReadOnly(reason);
  }
  // A read or write met damage: an error that names file and VM. Codes that are no damage are ignored.
  void noteDamage(const Error& error) {
    if (error.code != ErrorCode::Corrupt && error.code != ErrorCode::Lost && error.code != ErrorCode::IoError) return;
    std::function<void(const Error&)> tell;
    {
      const Lock lock(m_mutex);
      if (m_damageTold.size() >= damageToldMax || !m_damageTold.insert(error.message).second) return;
      tell = m_onDamage;
      if (!tell) m_damageUntold.push_back(error);
    }
    if (tell) tell(error);
  }
  // Is told at once what was noted before anybody listened.
  void setOnDamage(std::function<void(const Error&)> onDamage) {
    std::vector<Error> untold;
    {
      const Lock lock(m_mutex);
      m_onDamage = onDamage;
      if (onDamage) untold.swap(m_damageUntold);
    }
    for (const Error& error : untold) onDamage(error);
  }

  static constexpr size_t damageToldMax = 1000;

 private:
  std::atomic<bool> m_readOnly = false;
  mutable Mutex m_mutex;
  std::string m_reason GUARDED_BY(m_mutex);
  std::function<void(const std::string&)> m_onReadOnly GUARDED_BY(m_mutex);
  std::function<void(const Error&)> m_onDamage GUARDED_BY(m_mutex);
  std::vector<Error> m_damageUntold GUARDED_BY(m_mutex);  // at most damageToldMax
  std::unordered_set<std::string> m_damageTold GUARDED_BY(m_mutex);
};

}  // namespace quarry
