// SPDX-License-Identifier: GPL-3.0-or-later
// A Clock that stands still until a test moves it. Safe from any thread.
#pragma once

#include <atomic>
#include <chrono>

#include "engine/base/clock.h"

namespace quarry {

class ManualClock : public Clock {
 public:
  explicit ManualClock(int64_t unixSeconds = 1'800'000'000) : m_unixNs(unixSeconds * 1'000'000'000) {}

  Timestamp now() const override { return {m_unixNs.load()}; }
  std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(m_steadyNs.load()));
  }

  // Both clocks move on.
  void advance(std::chrono::nanoseconds by) {
    m_unixNs += by.count();
    m_steadyNs += by.count();
  }
  // Only the wall clock jumps, as when an administrator sets it.
  void jumpWall(std::chrono::nanoseconds by) { m_unixNs += by.count(); }

 private:
  std::atomic<int64_t> m_unixNs;
  std::atomic<int64_t> m_steadyNs{1'000'000'000};
};

}  // namespace quarry
