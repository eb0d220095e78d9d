// SPDX-License-Identifier: GPL-3.0-or-later
// Where in the lists held in RAM a fingerprint stands: a hash table of (first 8 bytes, location) with open addressing, of fixed size. A
// prefix that stands in many places is kept at most eightfold: more candidates find no better runs, and a chain stays short whatever
// a guest writes.
//
// Threads: one at a time. The caller compares the whole fingerprint: the table knows prefixes only.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

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
  // All zeros when empty: then the kernel gives the table its memory as it fills.
  struct Entry {
    uint64_t prefix;
    Location place;  // the location + 1
  };
  static constexpr Location empty = 0;
  struct Free {
    void operator()(Entry* table) const { std::free(table); }
  };

  size_t home(uint64_t prefix) const { return prefix & m_mask; }
  size_t next(size_t slot) const { return (slot + 1) & m_mask; }

  size_t m_entriesMax;
  size_t m_mask;
  size_t m_size = 0;
  std::unique_ptr<Entry[], Free> m_table;
};

}  // namespace quarry::blockstore
