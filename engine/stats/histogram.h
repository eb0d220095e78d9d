// SPDX-License-Identifier: GPL-3.0-or-later
// A distribution of whole numbers (latencies in ns) in 592 buckets of fixed memory (2.4 KiB): 0…15 exactly, then 16 buckets for each
// power of two, so a value told from its bucket's middle is off by at most 1/32 (3.2 %); values of 2^40 (18 minutes in ns) and more
// share the last bucket. record() is safe from any thread and wait-free; a HistogramWindow belongs to one thread.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace quarry {

class Histogram {
 public:
  static constexpr unsigned subBucketBits = 4;
  static constexpr unsigned valueBits = 40;
  static constexpr size_t bucketCount = (valueBits - subBucketBits + 1) << subBucketBits;
  using Counts = std::array<uint32_t, bucketCount>;

  void record(uint64_t value) {
    m_sum.fetch_add(value, std::memory_order_relaxed);
    m_counts[bucketOf(value)].fetch_add(1, std::memory_order_relaxed);
  }

  static constexpr size_t bucketOf(uint64_t value) {
    constexpr uint64_t valueMax = (uint64_t{1} << valueBits) - 1;
    if (value > valueMax) value = valueMax;
    if (value < (1u << subBucketBits)) return static_cast<size_t>(value);
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - subBucketBits - 1;
    return (static_cast<size_t>(shift) << subBucketBits) + static_cast<size_t>(value >> shift);
  }

  // The middle of a bucket's values.
  static constexpr double valueOf(size_t bucket) {
    if (bucket < (2u << subBucketBits)) return static_cast<double>(bucket);
    const unsigned shift = static_cast<unsigned>(bucket >> subBucketBits) - 1;
    const uint64_t low = ((bucket & ((1u << subBucketBits) - 1)) + (1u << subBucketBits)) << shift;
    return static_cast<double>(low) + static_cast<double>((uint64_t{1} << shift) - 1) / 2;
  }

  uint64_t sum() const { return m_sum.load(std::memory_order_relaxed); }
  void copyCounts(Counts& into) const;  // counts wrap around; only their differences mean something

 private:
  std::atomic<uint64_t> m_sum{0};
  std::array<std::atomic<uint32_t>, bucketCount> m_counts{};
};

static_assert(Histogram::bucketOf(15) == 15 && Histogram::bucketOf(16) == 16 && Histogram::bucketOf(32) == 32);
static_assert(Histogram::bucketOf(~uint64_t{0}) == Histogram::bucketCount - 1);

// What was recorded between two calls of advance().
class HistogramWindow {
 public:
  // From the histogram's present contents on; it must outlive this.
  explicit HistogramWindow(const Histogram& histogram);

  void advance();
  uint64_t count() const { return m_count; }
  double mean() const;                 // NaN when nothing was recorded
  double quantile(double share) const; // share 0…1; NaN when nothing was recorded

 private:
  const Histogram& m_histogram;
  Histogram::Counts m_before{};
  Histogram::Counts m_delta{};
  uint64_t m_sumBefore = 0;
  uint64_t m_sum = 0;
  uint64_t m_count = 0;
};

}  // namespace quarry
