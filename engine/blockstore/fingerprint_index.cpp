// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/fingerprint_index.h"

#include <bit>

#include "engine/base/check.h"

namespace quarry::blockstore {

FingerprintIndex::FingerprintIndex(size_t entriesMax)
    : m_entriesMax(entriesMax), m_mask(std::bit_ceil(entriesMax * 3) - 1), m_table(m_mask + 1) {}

void FingerprintIndex::insert(uint64_t prefix, Location location) {
  QUARRY_CHECK(location != empty && m_size < m_entriesMax);
  size_t slot = home(prefix);
  for (size_t same = 0; m_table[slot].location != empty; slot = next(slot))
    if (m_table[slot].prefix == prefix && ++same == candidatesMax) return;
  m_table[slot] = {.prefix = prefix, .location = location};
  ++m_size;
}

// Closes the gap by moving back what may stand there (Knuth, vol. 3, 6.4 algorithm R), so that no tombstones pile up.
void FingerprintIndex::erase(uint64_t prefix, Location location) {
  size_t gap = home(prefix);
  while (m_table[gap].location != empty && (m_table[gap].prefix != prefix || m_table[gap].location != location)) gap = next(gap);
  if (m_table[gap].location == empty) return;
  for (size_t slot = next(gap); m_table[slot].location != empty; slot = next(slot)) {
    const size_t distanceFromHome = (slot - home(m_table[slot].prefix)) & m_mask;
    const size_t distanceFromGap = (slot - gap) & m_mask;
    if (distanceFromHome < distanceFromGap) continue;
    m_table[gap] = m_table[slot];
    gap = slot;
  }
  m_table[gap].location = empty;
  --m_size;
}

FingerprintIndex::Candidates FingerprintIndex::find(uint64_t prefix) const {
  Candidates found;
  for (size_t slot = home(prefix); m_table[slot].location != empty; slot = next(slot))
    if (m_table[slot].prefix == prefix && found.count < candidatesMax) found.at[found.count++] = m_table[slot].location;
  return found;
}

}  // namespace quarry::blockstore
