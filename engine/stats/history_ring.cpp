// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/history_ring.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quarry {
namespace {
constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
}

HistoryRing::HistoryRing(HistorySpan span) : m_stepMs(static_cast<int64_t>(span.stepSeconds * 1000)), m_values(span.capacity(), nothing) {}

void HistoryRing::moveTo(int64_t slot) {
  if (m_lastSlot < 0 || std::abs(slot - m_lastSlot) >= static_cast<int64_t>(m_values.size())) {
    std::fill(m_values.begin(), m_values.end(), nothing);
  } else {
    // Forward: the steps without a value. Back: the steps that are future now.
    for (int64_t between = std::min(slot, m_lastSlot) + 1; between <= std::max(slot, m_lastSlot); ++between) at(between) = nothing;
  }
  m_lastSlot = slot;
  m_sum = 0;
  m_count = 0;
}

void HistoryRing::add(int64_t unixMs, double value) {
  if (unixMs < 0) return;
  if (slotOf(unixMs) != m_lastSlot) moveTo(slotOf(unixMs));
  if (std::isnan(value)) return;
  m_sum += value;
  ++m_count;
  at(m_lastSlot) = static_cast<float>(m_sum / static_cast<double>(m_count));
}

std::vector<double> HistoryRing::until(int64_t unixMs) const {
  const int64_t end = slotOf(unixMs);
  const auto size = static_cast<int64_t>(m_values.size());
  std::vector<double> values;
  values.reserve(m_values.size());
  for (int64_t slot = end - size + 1; slot <= end; ++slot) {
    const bool known = slot >= 0 && slot <= m_lastSlot && slot > m_lastSlot - size;
    values.push_back(known ? m_values[static_cast<size_t>(slot) % m_values.size()] : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

void HistoryRing::restore(int64_t lastSlot, std::vector<float> values) {
  m_lastSlot = lastSlot;
  m_values = std::move(values);
  const float last = lastSlot < 0 ? nothing : at(lastSlot);
  m_count = std::isnan(last) ? 0 : 1;
  m_sum = m_count == 0 ? 0 : static_cast<double>(last);
}

}  // namespace quarry
