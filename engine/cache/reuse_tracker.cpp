// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/reuse_tracker.h"

#include <algorithm>
#include <iterator>

#include "engine/base/check.h"

namespace quarry::cache {

namespace {
constexpr size_t rowPerKey = 4;  // the row moves together once in so many accesses of each key, less one
}

ReuseTracker::ReuseTracker(size_t keysMax) : m_row(keysMax * rowPerKey), m_tree(keysMax * rowPerKey + 1) {}

void ReuseTracker::add(size_t place, int64_t delta) {
  for (size_t at = place + 1; at < m_tree.size(); at += at & -at) m_tree[at] += delta;
}

uint64_t ReuseTracker::countUpTo(size_t place) const {
  int64_t count = 0;
  for (size_t at = place + 1; at > 0; at -= at & -at) count += m_tree[at];
  return static_cast<uint64_t>(count);
}

std::optional<uint64_t> ReuseTracker::access(uint64_t hash, int64_t now) {
  if (m_next == m_row.size()) moveTogether();
  QUARRY_CHECK(m_next < m_row.size());
  std::optional<uint64_t> distance;
  const auto [found, isNew] = m_places.try_emplace(hash, m_next);
  if (isNew) {
    m_hashes.insert({sampleOf(hash), hash});
  } else {
    distance = m_places.size() - countUpTo(found->second);
    leave(found->second);
    found->second = m_next;
  }
  m_row[m_next] = {hash, now, true};
  add(m_next++, 1);
  return distance;
}

void ReuseTracker::leave(size_t place) {
  m_row[place].isTaken = false;
  add(place, -1);
}

void ReuseTracker::removeLargest() {
  const auto largest = std::prev(m_hashes.end());
  const auto found = m_places.find(largest->second);
  leave(found->second);
  m_places.erase(found);
  m_hashes.erase(largest);
}

// Keys stand in the order of their last accesses.
void ReuseTracker::removeUnusedSince(int64_t before) {
  for (size_t place = 0; place < m_next; ++place) {
    const Access& access = m_row[place];
    if (!access.isTaken) continue;
    if (access.at >= before) return;
    m_places.erase(access.hash);
    m_hashes.erase({sampleOf(access.hash), access.hash});
    leave(place);
  }
}

void ReuseTracker::moveTogether() {
  std::fill(m_tree.begin(), m_tree.end(), 0);
  size_t next = 0;
  for (size_t place = 0; place < m_next; ++place) {
    if (!m_row[place].isTaken) continue;
    m_row[next] = m_row[place];
    m_places[m_row[next].hash] = next;
    add(next++, 1);
  }
  for (size_t place = next; place < m_next; ++place) m_row[place].isTaken = false;
  m_next = next;
}

}  // namespace quarry::cache
