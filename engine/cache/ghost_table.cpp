// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/ghost_table.h"

#include <algorithm>
#include <bit>

namespace quarry::cache {

GhostTable::Buckets GhostTable::bucketsFor(uint64_t capacity) {
  return Buckets(std::bit_ceil(std::max<uint64_t>(capacity + capacity / 4, 1) / bucketSlots + 1));
}

GhostTable::Buckets GhostTable::resize(uint64_t capacity, Buckets buckets) {
  m_capacity = capacity;
  if (buckets.empty()) return buckets;
  std::swap(m_buckets, buckets);
  return buckets;
}

void GhostTable::add(uint64_t hash) {
  auto& slots = bucket(hash);
  const auto oldest = std::ranges::max_element(slots, {}, [this](const Slot& slot) { return age(slot); });
  *oldest = {fingerprint(hash), m_time++};
}

bool GhostTable::take(uint64_t hash) {
  for (Slot& slot : bucket(hash)) {
    if (slot.fingerprint != fingerprint(hash)) continue;
    const bool isRecent = age(slot) <= m_capacity;
    slot = {};
    return isRecent;
  }
  return false;
}

}  // namespace quarry::cache
