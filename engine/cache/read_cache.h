// SPDX-License-Identifier: GPL-3.0-or-later
// Clean blocks kept for reads, evicted by S3-FIFO (Yang, Zhang, Qiu, Yue, Rashmi: "FIFO queues are all you need for cache eviction", SOSP
// 2023): a small queue takes what is new, a main queue what was asked for again, and a ghost queue remembers what the small one dropped. What is
// read once, as by a backup, leaves through the small queue and takes nothing of the main one.
//
// Threads: any; sharded by key. Ownership: references keep their blocks; the pool outlives the cache. How much there may be is the pool's
// limit: whoever finds it full calls makeRoom(). Failure: none.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/cache/block_key.h"
#include "engine/cache/block_pool.h"

namespace quarry::cache {

class ReadCache {
 public:
  explicit ReadCache(BlockPool&) {}

  struct Figures {
    uint64_t bytes = 0;  // now
    uint64_t hits = 0, misses = 0, insertions = 0, evictions = 0;  // since the start
  };

  std::optional<BlockRef> find(const BlockKey& key);
  void insert(const BlockKey& key, BlockRef block);  // replaces an older one
  void erase(const BlockKey& key);
  // Evicts up to `count` blocks; false when there was nothing to evict.
  bool makeRoom(uint64_t count);
  Figures figures() const;

 private:
  static constexpr size_t shardCount = 16;
  static constexpr uint32_t none = ~0u;
  enum class Queue : uint8_t { Small, Main };

  struct Entry {
    BlockKey key;
    BlockRef block;       // empty: dead, its place in the queue is still to be passed
    uint32_t next = none; // in its bucket
    uint8_t uses = 0;     // since it came, or was last spared; at most usesMax
    Queue queue = Queue::Small;
  };

  class alignas(64) Shard {
   public:
    std::optional<BlockRef> find(const BlockKey& key, uint64_t hash);
    void insert(const BlockKey& key, uint64_t hash, BlockRef block);
    void erase(const BlockKey& key, uint64_t hash);
    bool evict(uint64_t count);
    Figures figures() const;

   private:
    using Freed = std::vector<BlockRef>;  // given back after the lock
    uint32_t* link(const BlockKey& key, uint64_t hash) REQUIRES(m_mutex);  // to the entry; null
    uint32_t newEntry() REQUIRES(m_mutex);
    void unlink(uint32_t* link, Freed& freed) REQUIRES(m_mutex);
    void grow() REQUIRES(m_mutex);
    bool evictOne(Freed& freed) REQUIRES(m_mutex);
    bool evictSmall(Freed& freed) REQUIRES(m_mutex);
    bool evictMain(Freed& freed) REQUIRES(m_mutex);
    void evict(uint32_t index, Freed& freed) REQUIRES(m_mutex);
    void remember(uint64_t hash) REQUIRES(m_mutex);
    bool isRemembered(uint64_t hash) const REQUIRES(m_mutex);

    mutable Mutex m_mutex;
    std::vector<Entry> m_entries GUARDED_BY(m_mutex);
    std::vector<uint32_t> m_unused GUARDED_BY(m_mutex);   // of m_entries
    std::vector<uint32_t> m_buckets GUARDED_BY(m_mutex);  // a power of two
    std::deque<uint32_t> m_small GUARDED_BY(m_mutex), m_main GUARDED_BY(m_mutex);
    uint64_t m_liveCount GUARDED_BY(m_mutex) = 0, m_smallLive GUARDED_BY(m_mutex) = 0;
    // What the small queue dropped: a fingerprint and when, at a place that the hash gives; as many count as there are live entries.
    struct Ghost {
      uint32_t fingerprint = 0, when = 0;
    };
    std::vector<Ghost> m_ghosts GUARDED_BY(m_mutex);
    uint32_t m_ghostClock GUARDED_BY(m_mutex) = 0;
    Figures m_figures GUARDED_BY(m_mutex);
  };

  Shard& shard(uint64_t hash) { return m_shards[hash >> 60]; }

  std::array<Shard, shardCount> m_shards;
  std::atomic<size_t> m_nextVictim = 0;  // shards give room in turn
};

}  // namespace quarry::cache
