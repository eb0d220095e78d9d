// SPDX-License-Identifier: GPL-3.0-or-later
// Where in the lists held in RAM a fingerprint stands: a hash table of (first 8 bytes, location) with open addressing, of fixed size. A
// prefix that stands in many places is kept at most eightfold: more candidates find no better runs, and a chain stays short whatever
// a guest writes.
//
// Threads: one at a time. The caller compares the whole fingerprint: the table knows prefixes only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace quarry::blockstore {

class FingerprintIndex {
 public:
  static constexpr size_t candidatesMax = 8;
  using Location = uint32_t;  // caller's own, below 2^32 - 1
  struct Candidates {
    std::array<Location, candidatesMax> at;
    size_t count = 0;
  };

  // Room for `entriesMax`, with a third of the table used at most.
  explicit FingerprintIndex(size_t entriesMax);

  void insert(uint64_t prefix, Location location);
  void erase(uint64_t prefix, Location location);  // nothing when it is not there
  Candidates find(uint64_t prefix) const;
  size_t size() const { return m_size; }

 private:
  struct Entry {
    uint64_t prefix = 0;
    Location location = empty;
  };
  static constexpr Location empty = UINT32_MAX;

  size_t home(uint64_t prefix) const { return prefix & m_mask; }
  size_t next(size_t slot) const { return (slot + 1) & m_mask; }

  size_t m_entriesMax;
  size_t m_mask;
  size_t m_size = 0;
  std::vector<Entry> m_table;
};

}  // namespace quarry::blockstore
