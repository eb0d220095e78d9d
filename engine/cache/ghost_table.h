// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys were evicted lately, as fingerprints of 32 bits: S3-FIFO's ghost queue. A fixed table of small buckets; the oldest of a bucket
// makes room, and what is older than `capacity` additions counts as gone. A false "yes" (one in some hundred million) costs nothing but a place.
//
// Threads: its owner's lock. Failure: none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace quarry::cache {

class GhostTable {
 public:
  static constexpr size_t bucketSlots = 8;
  struct Slot {
    uint32_t fingerprint = 0;  // 0: empty
    uint32_t time = 0;
  };
  using Buckets = std::vector<std::array<Slot, bucketSlots>>;

  // Made outside the owner's lock, then swapped in: forgets everything. Returns the old ones, to be destroyed outside as well.
  static Buckets bucketsFor(uint64_t capacity);
  Buckets resize(uint64_t capacity, Buckets buckets);
  size_t bucketCount() const { return m_buckets.size(); }

  void add(uint64_t hash);
  bool take(uint64_t hash);  // whether it was there; then it is no more

 private:
  std::array<Slot, bucketSlots>& bucket(uint64_t hash) { return m_buckets[hash & (m_buckets.size() - 1)]; }
  static uint32_t fingerprint(uint64_t hash) { return static_cast<uint32_t>(hash >> 28) | 1; }
  uint32_t age(const Slot& slot) const { return slot.fingerprint == 0 ? UINT32_MAX : m_time - slot.time; }

  Buckets m_buckets = bucketsFor(0);
  uint64_t m_capacity = 0;
  uint32_t m_time = 0;  // additions so far; wraps
};

}  // namespace quarry::cache
