// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/stat_ring.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quarry {
namespace {
constexpr double gap = std::numeric_limits<double>::quiet_NaN();
}

StatRing::StatRing(StatSpan span) : m_span(span), m_values(span.sampleCount, gap) {}

void StatRing::put(int64_t unixMs, double value) {
  const int64_t step = unixMs / m_span.stepMs;
  if (unixMs < 0 || step < m_newestStep) return;
  if (step > m_newestStep) advanceTo(step);
  if (std::isnan(value)) return;
  m_sum += value;
  ++m_count;
  m_values[place(step)] = m_sum / static_cast<double>(m_count);
}

void StatRing::fill(const StatValues& older) {
  if (older.stepMs <= 0 || older.firstUnixMs < 0 || older.values.empty()) return;
  const auto stepOf = [&](size_t i) { return (older.firstUnixMs + static_cast<int64_t>(i) * older.stepMs) / m_span.stepMs; };
  const int64_t last = stepOf(older.values.size() - 1);
  if (last > m_newestStep) advanceTo(last);
  const int64_t oldest = m_newestStep - static_cast<int64_t>(m_values.size()) + 1;
  for (size_t i = 0; i < older.values.size(); ++i) {
    const int64_t step = stepOf(i);
    if (step < oldest || step < 0) continue;
    double& kept = m_values[place(step)];
    if (std::isnan(kept)) kept = older.values[i];
  }
}

StatValues StatRing::values(int64_t endUnixMs) const {
  const int64_t newest = std::max(m_newestStep, endUnixMs / m_span.stepMs);
  const int64_t oldest = newest - static_cast<int64_t>(m_values.size()) + 1;
  StatValues result{.firstUnixMs = oldest * m_span.stepMs, .stepMs = m_span.stepMs, .values = std::vector<double>(m_values.size(), gap)};
  const int64_t oldestKept = std::max<int64_t>(0, m_newestStep - static_cast<int64_t>(m_values.size()) + 1);
  for (int64_t step = std::max(oldest, oldestKept); step <= m_newestStep; ++step) result.values[static_cast<size_t>(step - oldest)] = m_values[place(step)];
  return result;
}

void StatRing::advanceTo(int64_t step) {
  const int64_t count = static_cast<int64_t>(m_values.size());
  const int64_t first = std::max(m_newestStep + 1, step - count + 1);
  for (int64_t i = std::max<int64_t>(0, first); i <= step; ++i) m_values[place(i)] = gap;
  m_newestStep = step;
  m_sum = 0;
  m_count = 0;
}

}  // namespace quarry
