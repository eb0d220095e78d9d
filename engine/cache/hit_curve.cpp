// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/hit_curve.h"

#include <algorithm>
#include <cmath>

#include "engine/base/bytes.h"

namespace quarry::cache {

namespace {
constexpr int64_t stepsPerHalfLife = 16;
constexpr int64_t forgetAfterHalfLives = 4;
}  // namespace

HitCurve::HitCurve(const Clock& clock, Options options)
    : m_clock(clock), m_options(options), m_tracker(options.samplesMax + 1), m_bins(binCount), m_agedAt(nowSeconds()) {}

size_t HitCurve::binOf(double distanceBlocks) {
  if (distanceBlocks < static_cast<double>(binsPerOctave)) return static_cast<size_t>(distanceBlocks);
  int exponent = 0;
  const double fraction = std::frexp(distanceBlocks / static_cast<double>(binsPerOctave), &exponent);  // 0.5…1
  const double bin = static_cast<double>(binsPerOctave) * (exponent + 2 * fraction - 1);
  return std::min(static_cast<size_t>(bin), binCount - 1);
}

// The first distance that is in no bin up to this one.
double HitCurve::binEnd(size_t bin) {
  const size_t next = bin + 1, octave = next / binsPerOctave;
  if (octave == 0) return static_cast<double>(next);
  const double fraction = static_cast<double>(next % binsPerOctave) / static_cast<double>(binsPerOctave);
  return std::ldexp((1 + fraction) * static_cast<double>(binsPerOctave), static_cast<int>(octave) - 1);
}

size_t HitCurve::stripe() {
  static std::atomic<size_t> next = 0;
  static thread_local const size_t own = next.fetch_add(1, std::memory_order_relaxed) % stripes;
  return own;
}

int64_t HitCurve::nowSeconds() const { return std::chrono::duration_cast<std::chrono::seconds>(m_clock.steady().time_since_epoch()).count(); }

uint64_t HitCurve::accessCount() const {
  uint64_t sum = 0;
  for (const Stripe& stripe : m_counts) sum += stripe.count.load(std::memory_order_relaxed);
  return sum;
}

double HitCurve::samplingRate() const { return rate(); }

void HitCurve::sample(uint64_t hash) {
  const int64_t now = nowSeconds();
  const Lock lock(m_mutex);
  age(now);
  if (ReuseTracker::sampleOf(hash) >= m_threshold.load(std::memory_order_relaxed)) return;  // lowered meanwhile
  const auto distance = m_tracker.access(hash, now);
  ++m_sampledCount;
  if (distance) ++m_bins[binOf(static_cast<double>(*distance) / rate())];
  if (m_tracker.size() > m_options.samplesMax) lowerRate();
}

// The new threshold is the largest sample number, which goes, so there is room for another key again.
void HitCurve::lowerRate() {
  catchUp();
  const double before = rate();
  const uint64_t threshold = std::max<uint64_t>(m_tracker.largestSample(), 1);
  m_threshold.store(threshold, std::memory_order_relaxed);
  while (m_tracker.size() > 0 && m_tracker.largestSample() >= threshold) m_tracker.removeLargest();
  scale(rate() / before);
}

// After keys were forgotten: double, as long as the places may do. New keys count as seen for the first time at first.
void HitCurve::raiseRate() {
  const uint64_t threshold = m_threshold.load(std::memory_order_relaxed);
  if (threshold == ReuseTracker::sampleMax || m_tracker.size() > m_options.samplesMax / 4) return;
  catchUp();
  const double before = rate();
  m_threshold.store(std::min(threshold * 2, ReuseTracker::sampleMax), std::memory_order_relaxed);
  scale(rate() / before);
}

void HitCurve::scale(double factor) {
  for (double& count : m_bins) count *= factor;
  m_sampledCount *= factor;
  m_expectedCount *= factor;
}

// Accesses since the last time, at the rate that held meanwhile.
void HitCurve::catchUp() {
  const uint64_t counted = accessCount();
  m_expectedCount += static_cast<double>(counted - m_countedUpTo) * rate();
  m_countedUpTo = counted;
}

void HitCurve::age(int64_t now) {
  const int64_t step = std::max<int64_t>(m_options.halfLife.count() / stepsPerHalfLife, 1);
  const int64_t steps = (now - m_agedAt) / step;
  if (steps <= 0) return;
  m_agedAt += steps * step;
  catchUp();
  scale(std::exp2(-static_cast<double>(steps * step) / static_cast<double>(m_options.halfLife.count())));
  m_tracker.removeUnusedSince(now - forgetAfterHalfLives * m_options.halfLife.count());
  raiseRate();
}

std::vector<CurvePoint> HitCurve::curve(uint64_t bytesMax, size_t points) {
  const int64_t now = nowSeconds();
  const Lock lock(m_mutex);
  age(now);
  catchUp();
  std::vector<CurvePoint> curve;
  if (m_expectedCount <= 0 || m_sampledCount <= 0) return curve;
  // A few keys that are accessed much more often than others are sampled, or not: what is missing or too much are accesses at short distances.
  double hits = m_expectedCount - m_sampledCount;
  size_t bin = 0;
  for (size_t i = 1; i <= points; ++i) {
    const uint64_t bytes = bytesMax / points * i;
    for (; bin < binCount && binEnd(bin) <= static_cast<double>(bytes) / blockBytes; ++bin) hits += m_bins[bin];
    curve.push_back({bytes, std::clamp(hits / m_expectedCount, 0.0, 1.0)});
  }
  return curve;
}

}  // namespace quarry::cache
