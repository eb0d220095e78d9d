// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/rate_meter.h"

namespace quarry {
namespace {
constexpr std::chrono::seconds window{10};
}

void RateMeter::add(TimePoint time, uint64_t bytesDone) {
  m_samples.push_back({time, bytesDone});
  // One sample older than the window stays, as the point the window is measured from.
  while (m_samples.size() > 2 && m_samples[1].time <= time - window) m_samples.pop_front();
}

uint64_t RateMeter::bytesPerSecond() const {
  if (m_samples.size() < 2) return 0;
  const double seconds = std::chrono::duration<double>(m_samples.back().time - m_samples.front().time).count();
  if (seconds <= 0) return 0;
  return static_cast<uint64_t>(static_cast<double>(m_samples.back().bytesDone - m_samples.front().bytesDone) / seconds);
}

uint64_t RateMeter::secondsLeft(uint64_t bytesTotal) const {
  const uint64_t rate = bytesPerSecond();
  if (rate == 0 || m_samples.back().bytesDone >= bytesTotal) return 0;
  return (bytesTotal - m_samples.back().bytesDone + rate - 1) / rate;
}

}  // namespace quarry
