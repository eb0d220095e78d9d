// SPDX-License-Identifier: GPL-3.0-or-later
// One part of the read cache: S3-FIFO (Yang, Zhang, Qiu, Yue, Vinayak: "FIFO Queues are All You Need for Cache Eviction", SOSP 2023). What is
// new enters a small queue, a tenth of all; what was hit twice there moves on to the main queue, what was not leaves and is
// remembered as a ghost; a ghost that comes back enters the main queue at once. So a scan passes through the small queue alone.
//
// Entries lie densely in one array and are found through linear hashing (Litwin, VLDB 1980), which grows and shrinks by one bucket at a
// time: no operation takes long, however large the cache. 32 bytes each, and 4 for its bucket.
//
// Threads: its owner's lock. Ownership: holds a reference to each block. Failure: none.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cache/block_key.h"
#include "engine/cache/block_pool.h"
#include "engine/cache/ghost_table.h"
#include "engine/cache/reserved_memory.h"

namespace quarry::cache {

class ReadShard {
 public:
  ReadShard(BlockPool& pool, uint64_t countMax);
  ~ReadShard();

  uint64_t count() const { return m_count; }
  bool isFull() const { return m_count == m_countMax; }
  GhostTable& ghosts() { return m_ghosts; }

  std::optional<BlockRef> find(const BlockKey& key, uint64_t hash);
  // Returns the block that had the key before. REQUIRES: !isFull().
  BlockRef insert(const BlockKey& key, uint64_t hash, BlockRef block);
  BlockRef erase(const BlockKey& key, uint64_t hash);
  BlockRef evict();  // REQUIRES: count() > 0

 private:
  using Place = uint32_t;  // in m_entries; 0 is none, so that zero-filled memory is empty
  enum Queue : uint32_t { Small, Main };
  struct Entry {
    BlockKey key;
    Place newer, older;  // in its queue
    Place chain;         // next in its bucket
    uint32_t block : 28, frequency : 2, queue : 1;
  };
  static_assert(sizeof(Entry) == 32 && BlockPool::blocksMax <= uint64_t{1} << 28);
  struct Ends {
    Place newest = 0, oldest = 0;
    uint64_t count = 0;
  };

  uint64_t bucketOf(uint64_t hash) const;
  Place* linkTo(Place place, uint64_t hash);
  Place lookUp(const BlockKey& key, uint64_t hash) const;
  void splitBucket();
  void mergeBucket();
  void enqueue(Place place, Queue queue);
  void dequeue(Place place);
  BlockRef remove(Place place);
  void fillHole(Place hole);

  BlockPool& m_pool;
  const uint64_t m_countMax;
  ReservedArray<Entry> m_entries;  // 1…m_count
  ReservedArray<Place> m_buckets;
  uint64_t m_bucketCount;
  uint64_t m_count = 0;
  Ends m_ends[2];
  GhostTable m_ghosts;
};

}  // namespace quarry::cache
