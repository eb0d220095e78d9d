// SPDX-License-Identifier: GPL-3.0-or-later
// The dirty blocks of one file: the newest bytes of blocks whose landing file has older ones or none. A block never changes; an overwrite
// puts another in its place, so what a reader, the journal or the destager holds stays as it was.
//
// Threads: any. Whoever puts, protects or drops holds the file's lock over the range, so that one block's versions come in order; takers and
// readers hold nothing. Failure: none.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/mutex.h"
#include "engine/cache/block_pool.h"
#include "engine/cache/cache_account.h"
#include "engine/cache/journal_needs.h"

namespace quarry::cache {

using SteadyTime = std::chrono::steady_clock::time_point;

// Who promised what of a dirty block.
enum class Promise {
  None,         // UNSTABLE: the client keeps the bytes until its COMMIT
  Journal,      // acknowledged once the journal holds it
  Unprotected,  // acknowledged, and in RAM alone
};

struct BlockRange {
  uint64_t first = 0;
  uint64_t count = 0;
  uint64_t end() const { return first + count; }
};

class DirtyBlocks {
 public:
  struct Totals {
    JournalNeeds& needs;
    CacheAccount& engine;
  };
  DirtyBlocks(Totals totals, std::shared_ptr<CacheAccount> account) : m_totals(totals), m_account(std::move(account)) {}
  ~DirtyBlocks() { drop({0, toEnd}); }
  DirtyBlocks(const DirtyBlocks&) = delete;
  DirtyBlocks& operator=(const DirtyBlocks&) = delete;

  static constexpr uint64_t toEnd = std::numeric_limits<uint64_t>::max();

  const std::shared_ptr<CacheAccount>& account() const { return m_account; }
  bool isEmpty() const { return m_count.load(std::memory_order_acquire) == 0; }
  uint64_t unjournaledCount() const { return m_unjournaledCount.load(std::memory_order_acquire); }  // Promise::None

  // For the list of files with dirty blocks: whether this one is in it. Returns what was marked before.
  bool markListed() { return m_isListed.exchange(true); }
  void unmarkListed() { m_isListed.store(false); }

  // --- readers
  // References to those that are dirty; the others stay as they are. Returns how many.
  size_t find(uint64_t firstBlock, std::span<BlockRef> into) const;
  bool contains(uint64_t block) const;

  void countReads(uint64_t hitCount, uint64_t missCount) {
    for (CacheAccount* account : {&m_totals.engine, m_account.get()}) {
      account->readHits.fetch_add(hitCount, std::memory_order_relaxed);
      account->readMisses.fetch_add(missCount, std::memory_order_relaxed);
    }
  }

  void noteRead(const BlockKey& key) {
    m_totals.engine.curve.access(key);
    m_account->curve.access(key);
  }

  // --- writers
  // `replaySequence`: of a block that came from the journal, its group.
  void put(uint64_t firstBlock, std::vector<BlockRef> blocks, Promise promise, SteadyTime now, std::optional<uint64_t> replaySequence = {});
  // What put() has put there is in the journal's group `sequence`. False: some of it was destaged already.
  bool protect(uint64_t firstBlock, uint64_t count, uint64_t sequence);
  // Newer bytes are in the landing file, or the file ends before.
  void drop(BlockRange range);
  // Blocks of older groups than `before` that came from a replay: the journal says that they landed.
  void dropReplayed(BlockRange range, uint64_t before);

  // --- destaging
  struct Selection {
    bool unjournaledOnly = false;
    SteadyTime touchedBefore = SteadyTime::max();  // regions that were written later are left...
    SteadyTime sinceBefore = SteadyTime::min();    // ...unless they have been dirty since before this
    uint64_t endBlock = toEnd;
  };
  // Runs of neighbours among the next blocks from `from` on; `next` is where to go on unless it was the last piece.
  struct Runs {
    std::vector<BlockRange> runs;
    uint64_t next = 0;
    bool isLast = true;
  };
  Runs runs(uint64_t from, const Selection& selection) const;
  struct Taken {
    uint64_t block = 0;
    BlockRef data;
    bool isJournaled = false;
  };
  // What of a run is dirty now. Entries of the journal before `before` are older than any of it, later ones are newer, or the same.
  struct Run {
    std::vector<Taken> blocks;
    uint64_t before = 0;
  };
  Run take(BlockRange run) const;
  // They are in the landing file, durable. Those that nothing overwrote are dirty no more; `onClean` is told of each while nobody can see it gone.
  template <class OnClean>
  void landed(std::span<const Taken> taken, OnClean onClean) {
    const Lock lock(m_mutex);
    for (const Taken& block : taken) {
      const auto found = m_blocks.find(block.block);
      if (found == m_blocks.end() || !(found->second.data == block.data)) continue;
      onClean(block.block, block.data);
      forget(found);
    }
  }
  // What COMMIT has to make durable, in order, at most `countMax`.
  std::vector<Taken> unjournaled(size_t countMax) const;
  std::optional<BlockRange> unjournaledSpan() const;

  // When the oldest one became dirty, to the second; of the unprotected ones alone.
  std::optional<SteadyTime> oldest() const;
  std::optional<SteadyTime> oldestUnprotected() const;

 private:
  struct Dirty {
    BlockRef data;
    uint64_t sequence = 0;  // of the group that still holds what the landing file lacks; 0: none
    Promise promise = Promise::None;
    bool isJournaled = false;  // these bytes, not only older ones
    SteadyTime since{}, touched{};
  };
  using Blocks = std::map<uint64_t, Dirty>;
  void set(uint64_t block, Dirty dirty) REQUIRES(m_mutex);
  Blocks::iterator forget(Blocks::iterator at) REQUIRES(m_mutex);
  void recount(const Dirty* before, const Dirty* after) REQUIRES(m_mutex);  // null: there was, or is, none
  static bool isUnjournaled(const Dirty& dirty) { return !dirty.isJournaled && dirty.promise != Promise::Unprotected; }

  const Totals m_totals;
  const std::shared_ptr<CacheAccount> m_account;
  std::atomic<uint64_t> m_count = 0, m_unjournaledCount = 0;
  std::atomic<bool> m_isListed = false;
  mutable Mutex m_mutex;
  Blocks m_blocks GUARDED_BY(m_mutex);
  struct Counts {
    uint64_t all = 0, unprotected = 0;
  };
  std::map<std::chrono::seconds, Counts> m_since GUARDED_BY(m_mutex);  // how many became dirty in which second
};

}  // namespace quarry::cache
