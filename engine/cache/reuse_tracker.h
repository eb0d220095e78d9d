// SPDX-License-Identifier: GPL-3.0-or-later
// Reuse distances of a bounded set of keys: how many other keys were accessed since a key's previous access. Each key stands at the place of
// its last access in a row of places; a Fenwick tree counts those behind it. When the row is full, the keys move together.
//
// Threads: its owner's lock. Failure: none. An access takes O(log keys).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quarry::cache {

class ReuseTracker {
 public:
  explicit ReuseTracker(size_t keysMax);

  // The distance, none at the first access. REQUIRES: size() < keysMax, or the key is in it.
  std::optional<uint64_t> access(uint64_t hash, int64_t now);
  size_t size() const { return m_places.size(); }
  uint64_t largestHash() const { return m_hashes.rbegin()->second; }  // REQUIRES for both: size() > 0
  uint64_t largestSample() const { return m_hashes.rbegin()->first; }
  void removeLargest();
  void removeUnusedSince(int64_t before);  // what was not accessed since then

  // The order in which keys leave: the lowest bits of the hash, as SHARDS samples by them.
  static constexpr uint64_t sampleMax = uint64_t{1} << 24;
  static uint64_t sampleOf(uint64_t hash) { return hash & (sampleMax - 1); }

 private:
  struct Access {
    uint64_t hash = 0;
    int64_t at = 0;
    bool isTaken = false;
  };
  void add(size_t place, int64_t delta);
  uint64_t countUpTo(size_t place) const;
  void leave(size_t place);
  void moveTogether();

  std::unordered_map<uint64_t, size_t> m_places;          // of a key's last access
  std::set<std::pair<uint64_t, uint64_t>> m_hashes;       // sample, hash
  std::vector<Access> m_row;
  std::vector<int64_t> m_tree;  // Fenwick, 1…row size
  size_t m_next = 0;
};

}  // namespace quarry::cache
