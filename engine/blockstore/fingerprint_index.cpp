// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/fingerprint_index.h"

#include <bit>
#include <new>

#include "engine/base/check.h"

namespace quarry::blockstore {

FingerprintIndex::FingerprintIndex(size_t entriesMax)
    : m_entriesMax(entriesMax), m_mask(std::bit_ceil(entriesMax * 3) - 1),
      m_table(static_cast<Entry*>(std::calloc(m_mask + 1, sizeof(Entry)))) {
  if (!m_table) throw std::bad_alloc();
}

void FingerprintIndex::insert(uint64_t prefix, Location location) {
  QUARRY_CHECK(location < UINT32_MAX && m_size < m_entriesMax);
  size_t slot = home(prefix);
  for (size_t same = 0; m_table[slot].place != empty; slot = next(slot))
    if (m_table[slot].prefix == prefix && ++same == candidatesMax) return;
  m_table[slot] = {.prefix = prefix, .place = location + 1};
  ++m_size;
}

// Closes the gap by moving back what may stand there (Knuth, vol. 3, 6.4 algorithm R), so that no tombstones pile up.
void FingerprintIndex::erase(uint64_t prefix, Location location) {
  size_t gap = home(prefix);
  while (m_table[gap].place != empty && (m_table[gap].prefix != prefix || m_table[gap].place != location + 1)) gap = next(gap);
  if (m_table[gap].place == empty) return;
  for (size_t slot = next(gap); m_table[slot].place != empty; slot = next(slot)) {
    const size_t distanceFromHome = (slot - home(m_table[slot].prefix)) & m_mask;
    const size_t distanceFromGap = (slot - gap) & m_mask;
    if (distanceFromHome < distanceFromGap) continue;
    m_table[gap] = m_table[slot];
    gap = slot;
  }
  m_table[gap].place = empty;
  --m_size;
}

FingerprintIndex::Candidates FingerprintIndex::find(uint64_t prefix) const {
  Candidates found;
  for (size_t slot = home(prefix); m_table[slot].place != empty; slot = next(slot))
    if (m_table[slot].prefix == prefix && found.count < candidatesMax) found.at[found.count++] = m_table[slot].place - 1;
  return found;
}

}  // namespace quarry::blockstore
