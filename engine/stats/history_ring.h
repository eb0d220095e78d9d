// SPDX-License-Identifier: GPL-3.0-or-later
// The values of one number over one span: as many slots as the span has steps, each the mean of what was added in its time. A step that
// had no value is NaN. Not locked; its owner (HistoryRings) does that.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/stats/history_format.h"

namespace quarry {

class HistoryRing {
 public:
  explicit HistoryRing(HistorySpan span);

  // When the wall clock went back, the slots that now lie in the future are forgotten.
  void add(int64_t unixMs, double value);
  // The values of the whole span that ends with the slot of `unixMs`, oldest first.
  std::vector<double> until(int64_t unixMs) const;
  int64_t firstMs(int64_t unixMs) const { return (slotOf(unixMs) - static_cast<int64_t>(m_values.size()) + 1) * m_stepMs; }

  int64_t lastSlot() const { return m_lastSlot; }
  const std::vector<float>& values() const { return m_values; }
  void restore(int64_t lastSlot, std::vector<float> values);  // REQUIRES values.size() == capacity

 private:
  int64_t slotOf(int64_t unixMs) const { return unixMs / m_stepMs; }
  float& at(int64_t slot) { return m_values[static_cast<size_t>(slot) % m_values.size()]; }
  void moveTo(int64_t slot);

  const int64_t m_stepMs;
  int64_t m_lastSlot = -1;   // -1: empty
  double m_sum = 0;          // of the last slot
  uint64_t m_count = 0;
  std::vector<float> m_values;
};

}  // namespace quarry
