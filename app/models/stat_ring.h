// SPDX-License-Identifier: GPL-3.0-or-later
// The last N means of one statistic, one per step of time; a step without a sample is NaN. Time comes with the samples (the engine's
// clock), so the ring needs none. Not safe from several threads; a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quarry {

struct StatSpan {
  int64_t stepMs = 1000;
  size_t sampleCount = 300;
};

// Oldest first; values[i] is the mean over [firstUnixMs + i * stepMs, + stepMs).
struct StatValues {
  int64_t firstUnixMs = 0;
  int64_t stepMs = 0;
  std::vector<double> values;
};

class StatRing {
 public:
  explicit StatRing(StatSpan span);

  void put(int64_t unixMs, double value);   // samples older than the newest step are dropped
  void fill(const StatValues& older);       // takes values only where the ring has none
  // Always sampleCount of them, all NaN while empty; they end at endUnixMs when that is later than the newest sample.
  StatValues values(int64_t endUnixMs = 0) const;
  bool isEmpty() const { return m_newestStep < 0; }

 private:
  size_t place(int64_t step) const { return static_cast<size_t>(step) % m_values.size(); }
  void advanceTo(int64_t step);

  StatSpan m_span;
  std::vector<double> m_values;  // at place(step)
  int64_t m_newestStep = -1;     // unixMs / stepMs of the newest value
  double m_sum = 0;              // of the samples in the newest step
  int64_t m_count = 0;
};

}  // namespace quarry
