// SPDX-License-Identifier: GPL-3.0-or-later
// Time as an interface, so that tests can move it. Safe from any thread.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace quarry {

// Wall-clock time in nanoseconds since 1970-01-01 UTC, as file attributes and reports carry it.
struct Timestamp {
  int64_t unixNs = 0;
  auto operator<=>(const Timestamp&) const = default;
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;                                // wall clock; may jump
  virtual std::chrono::steady_clock::time_point steady() const = 0;  // never goes back
};

class SystemClock : public Clock {
 public:
  Timestamp now() const override {
    using namespace std::chrono;
    return {duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count()};
  }
  std::chrono::steady_clock::time_point steady() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace quarry
