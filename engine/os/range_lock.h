// SPDX-License-Identifier: GPL-3.0-or-later
// An asynchronous exclusive lock over ranges of one file's bytes: coroutines that want overlapping ranges take turns in the order they
// asked; disjoint ranges do not wait. Safe from any thread and io_context; a waiter resumes on its own executor.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <limits>
#include <utility>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/mutex.h"

namespace quarry::os {

class RangeLock {
 public:
  static constexpr uint64_t toEnd = std::numeric_limits<uint64_t>::max();

  // Releases its range when destroyed. Move only; must not outlive the RangeLock.
  class Guard {
   public:
    Guard() = default;
    Guard(Guard&& other) noexcept : m_lock(std::exchange(other.m_lock, nullptr)), m_ticket(other.m_ticket) {}
    Guard& operator=(Guard&& other) noexcept {
      std::swap(m_lock, other.m_lock);
      std::swap(m_ticket, other.m_ticket);
      return *this;
    }
    ~Guard();

   private:
    friend class RangeLock;
    Guard(RangeLock* lock, uint64_t ticket) : m_lock(lock), m_ticket(ticket) {}
    RangeLock* m_lock = nullptr;
    uint64_t m_ticket = 0;
  };

  // Locks [from, to). Waits, without blocking a thread, while an earlier holder or waiter overlaps.
  Task<Guard> lock(uint64_t from, uint64_t to);
  // Whether lock() would wait now.
  bool isBusy(uint64_t from, uint64_t to) const;

 private:
  struct Entry {
    uint64_t ticket, from, to;
    bool held;
    std::function<void(uint64_t)> wake;
  };
  void release(uint64_t ticket);
  bool blockedBefore(std::list<Entry>::const_iterator entry) const REQUIRES(m_mutex);

  mutable Mutex m_mutex;
  std::list<Entry> m_entries GUARDED_BY(m_mutex);  // in order of asking
  uint64_t m_nextTicket GUARDED_BY(m_mutex) = 1;
};

}  // namespace quarry::os
