// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest numbers an owner keeps: one relaxed atomic each, updated from any thread and read by the sampler. Relaxed is enough
// because a number stands for itself and orders nothing else. The owner owns them; histogram.h has the distribution.
#pragma once

#include <atomic>
#include <cstdint>

namespace quarry {

// Only grows. The sampler makes rates of it.
class Counter {
 public:
  void add(uint64_t amount = 1) { m_value.fetch_add(amount, std::memory_order_relaxed); }
  uint64_t value() const { return m_value.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> m_value{0};
};

// Goes up and down.
class Gauge {
 public:
  void set(int64_t value) { m_value.store(value, std::memory_order_relaxed); }
  void add(int64_t amount) { m_value.fetch_add(amount, std::memory_order_relaxed); }
  int64_t value() const { return m_value.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> m_value{0};
};

}  // namespace quarry
