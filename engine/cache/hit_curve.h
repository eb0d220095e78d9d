// SPDX-License-Identifier: GPL-3.0-or-later
// What hit ratio each size of cache would have given on the real accesses: SHARDS (Waldspurger, Park, Garthwaite, Ahmad: "Efficient MRC
// Construction with SHARDS", FAST 2015), the variant with a fixed number of samples and the adjustment for skewed samples. It computes the curve
// of LRU, which S3-FIFO seldom falls short of. Older accesses count less, by half after each half-life, and a key that was not used for
// several of them is forgotten.
//
// Threads: any. An access whose key is not sampled takes a comparison and a counter, no lock. Failure: none. Memory: some 200 bytes per sample.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/cache/block_key.h"
#include "engine/cache/reuse_tracker.h"

namespace quarry::cache {

struct CurvePoint {
  uint64_t bytes = 0;
  double hitRatio = 0;
};

class HitCurve {
 public:
  struct Options {
    size_t samplesMax = 8192;
    std::chrono::seconds halfLife{2 * 3600};
  };
  explicit HitCurve(const Clock& clock) : HitCurve(clock, Options()) {}
  HitCurve(const Clock& clock, Options options);

  void access(const BlockKey& key) {
    const uint64_t hash = hashOf(key);
    m_counts[stripe()].count.fetch_add(1, std::memory_order_relaxed);
    if (ReuseTracker::sampleOf(hash) < m_threshold.load(std::memory_order_relaxed)) sample(hash);
  }

  // `points` sizes at even steps up to bytesMax. Empty while nothing was accessed.
  std::vector<CurvePoint> curve(uint64_t bytesMax, size_t points);
  uint64_t accessCount() const;  // since the start
  double samplingRate() const;

 private:
  // Distances fall into bins that are exact up to binsPerOctave and then a 64th wide of their value.
  static constexpr size_t binsPerOctave = 64, binCount = binsPerOctave * 40;
  static size_t binOf(double distanceBlocks);
  static double binEnd(size_t bin);

  static constexpr size_t stripes = 16;
  struct alignas(64) Stripe {
    std::atomic<uint64_t> count = 0;
  };
  static size_t stripe();

  void sample(uint64_t hash);
  void lowerRate() REQUIRES(m_mutex);
  void raiseRate() REQUIRES(m_mutex);
  void scale(double factor) REQUIRES(m_mutex);
  void catchUp() REQUIRES(m_mutex);
  void age(int64_t now) REQUIRES(m_mutex);
  int64_t nowSeconds() const;
  double rate() const { return static_cast<double>(m_threshold.load(std::memory_order_relaxed)) / static_cast<double>(ReuseTracker::sampleMax); }

  const Clock& m_clock;
  const Options m_options;
  std::array<Stripe, stripes> m_counts;
  std::atomic<uint64_t> m_threshold{ReuseTracker::sampleMax};  // keys with a lower sample number are sampled; changed under the mutex
  Mutex m_mutex;
  ReuseTracker m_tracker GUARDED_BY(m_mutex);
  std::vector<double> m_bins GUARDED_BY(m_mutex);      // sampled accesses by distance
  double m_sampledCount GUARDED_BY(m_mutex) = 0;       // all of them, with the first ones of a key
  double m_expectedCount GUARDED_BY(m_mutex) = 0;      // what it would be if every key were accessed equally often
  uint64_t m_countedUpTo GUARDED_BY(m_mutex) = 0;      // of accessCount(), in m_expectedCount
  int64_t m_agedAt GUARDED_BY(m_mutex) = 0;
};

}  // namespace quarry::cache
