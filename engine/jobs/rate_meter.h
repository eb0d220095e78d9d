// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes per second over the last ten seconds, and the time that what is left will take at that rate. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace quarry {

class RateMeter {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // What was done in all by this time; times and amounts do not go back. Bounded: at most as many samples as calls in ten seconds.
  void add(TimePoint time, uint64_t bytesDone);
  uint64_t bytesPerSecond() const;
  uint64_t secondsLeft(uint64_t bytesTotal) const;  // 0: unknown or done

 private:
  struct Sample {
    TimePoint time;
    uint64_t bytesDone;
  };
  std::deque<Sample> m_samples;
};

}  // namespace quarry
