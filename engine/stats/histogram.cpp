// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/histogram.h"

#include <cmath>
#include <limits>

namespace quarry {

void Histogram::copyCounts(Counts& into) const {
  for (size_t i = 0; i < bucketCount; ++i) into[i] = m_counts[i].load(std::memory_order_relaxed);
}

HistogramWindow::HistogramWindow(const Histogram& histogram) : m_histogram(histogram), m_sumBefore(histogram.sum()) {
  histogram.copyCounts(m_before);
}

void HistogramWindow::advance() {
  Histogram::Counts now;
  const uint64_t sum = m_histogram.sum();
  m_histogram.copyCounts(now);
  m_count = 0;
  for (size_t i = 0; i < now.size(); ++i) {
    m_delta[i] = now[i] - m_before[i];
    m_count += m_delta[i];
  }
  m_before = now;
  m_sum = sum - m_sumBefore;
  m_sumBefore = sum;
}

double HistogramWindow::mean() const {
  return m_count == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(m_sum) / static_cast<double>(m_count);
}

double HistogramWindow::quantile(double share) const {
  if (m_count == 0) return std::numeric_limits<double>::quiet_NaN();
  const double wanted = std::max(1.0, std::ceil(share * static_cast<double>(m_count)));
  uint64_t seen = 0;
  for (size_t i = 0; i < m_delta.size(); ++i) {
    seen += m_delta[i];
    if (static_cast<double>(seen) >= wanted) return Histogram::valueOf(i);
  }
  return Histogram::valueOf(m_delta.size() - 1);
}

}  // namespace quarry
