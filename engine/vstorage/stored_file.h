// SPDX-License-Identifier: GPL-3.0-or-later
// FileData over the caches, a landing file, recipes and the block store. Besides the contract it offers the pieces that a vstorage needs to
// change data and size together: a lock over a range, and write, shorten and zeroTail for whoever holds it.
//
// Two locks over ranges: the file's (lock()), held by whoever changes what clients see, and the landing lock, held by whoever writes or punches the
// landing file; who needs both takes the file's first. The destager takes the second alone, so writers into RAM do not wait for the disk.
//
// Three invariants:
//  - Nothing beyond the size: landing file and recipes hold only zeros beyond the file's size, but for writes underway or failed. It
//    is established once per start of the engine, before the first write or growth (trim), because a crash may have left data
//    whose new size was never recorded; a failed write makes the next one establish it again.
//  - Write counters: see StoredFile::Writing in stored_file.cpp.
//  - A dirty block is newer than the landing file, and a clean one equal to what lies below it: see stored_file_cache.cpp.
#pragma once

#include <asio/thread_pool.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/blockstore/block_store.h"
#include "engine/cache/caches.h"
#include "engine/cache/sequential_reads.h"
#include "engine/landing/landing_file.h"
#include "engine/metadata/recipe_table.h"
#include "engine/os/range_lock.h"
#include "engine/vstorage/file_data.h"

namespace quarry {

// How a write is kept until it has landed.
enum class Keep {
  Landed,         // at once in the landing file; durable after a sync
  LandedDurable,  // at once and durable
  Dirty,          // in RAM until it is committed or destaged
  Journaled,      // in RAM, and durable after journal()
  Unprotected,    // in RAM alone, though it is acknowledged
};

class StoredFile : public FileData, public cache::DirtyFile, public std::enable_shared_from_this<StoredFile> {
 public:
  // What all files of a store share; outlives them.
  struct Shared {
    LandingFile::Folder& landing;
    metadata::RecipeTable& recipes;
    blockstore::BlockStore& blocks;
    cache::Caches& caches;
    const Clock& clock;
    std::function<void(const Error&)> onSyncFailed;
    struct Facts {
      uint64_t size = 0;
      Timestamp modified;
    };
    std::function<std::optional<Facts>(metadata::FileId)> factsOf;  // nothing: the file is gone
    std::function<Task<Result<void>>(metadata::FileId)> persistSize;
    std::atomic<uint64_t> writeCounter = 1;   // of all files, so that no value ever comes twice
    const std::chrono::steady_clock::time_point startedAt = clock.steady();
    std::atomic<uint64_t> landedBlocksNew = 0; // blocks that landed anew: what the disk's free space has lost since it was asked
  };

  StoredFile(Shared& shared, metadata::FileId fileid, std::shared_ptr<cache::CacheAccount> account);

  metadata::FileId fileid() const override { return m_fileid; }
  Task<Result<void>> read(uint64_t offset, MutableBytes into) override;
  Task<Result<void>> write(uint64_t offset, Bytes data, uint64_t sizeBefore, os::Durability durability) override;
  Task<Result<void>> sync() override;
  Task<Result<void>> shorten(uint64_t size) override;
  Task<Result<void>> zeroTail(uint64_t oldSize) override;
  Task<Result<SegmentView>> view(uint32_t segment) override;
  Task<Result<std::vector<uint32_t>>> landedSegments() override;
  Task<Result<void>> readLanded(uint32_t segment, uint32_t firstBlock, MutableBytes into) override;
  Task<Result<uint64_t>> punchIfUnchanged(uint32_t segment, uint64_t writeCounter) override;
  uint64_t landedBytes() const override { return m_landing.landedBytes(); }

  // --- for a vstorage, which changes the size under the same lock
  // Before the first change since the start: opens the landing file and drops what lies beyond `size`. REQUIRES: no lock held.
  Task<Result<void>> prepare(uint64_t size);
  // Whole blocks around [from, to); to may be RangeLock::toEnd.
  Task<os::RangeLock::Guard> lock(uint64_t from, uint64_t to);
  // REQUIRE: prepared; lock over the range held. Both of an aligned range: what neither landing file nor write cache hold; and what no recipe holds
  // either, which a write of it adds to the file. writeLocked() returns how many blocks are in the landing file or will be that were not.
  uint64_t notLandedBytes(os::ByteRange range) const;
  Task<Result<uint64_t>> newBytes(os::ByteRange range);
  Task<Result<uint64_t>> writeLocked(uint64_t offset, Bytes data, Keep keep);
  // What writeLocked() kept of the range with Keep::Journaled is durable on return; `sizeAfter` too, unless false is returned: then the
  // caller makes it so.
  Task<Result<bool>> journalLocked(os::ByteRange range, uint64_t sizeAfter);
  // REQUIRE: prepared; lock from `size` toEnd held.
  Task<Result<void>> shortenLocked(uint64_t size);
  Task<Result<void>> zeroTailLocked(uint64_t size);

  // --- the caches' side
  cache::DirtyBlocks& dirty() override { return m_dirty; }
  Task<Result<cache::DirtyBlocks::Run>> land(cache::BlockRange run) override;
  Task<Result<void>> settle(std::vector<cache::DirtyBlocks::Run> landed) override;
  // Before serving: an entry of the journal's group `sequence`.
  void replay(uint64_t sequence, const journal::Entry& entry);
  // What is dirty without a promise becomes durable through the journal. For a few blocks; more are better destaged.
  Task<Result<void>> journalUncommitted(uint64_t sizeAfter);
  // On return no replay brings back what landed blocks took the place of, as far as they were forgotten before the call.
  Task<Result<void>> waitVoided();
  // References to blocks that are in RAM; returns how many. Never waits.
  // Client reads, and they alone, make the hit ratio and the hit curve.
  enum class Reader { Client, Own };
  size_t findInRam(uint64_t firstBlock, std::span<cache::BlockRef> into, Reader reader = Reader::Own);
  // The same for a client's read, which counts for the hit ratio: how many are there; the others come with readRest(), whose range is aligned.
  size_t findForClient(uint64_t firstBlock, std::span<cache::BlockRef> into);
  Task<Result<void>> readRest(uint64_t offset, MutableBytes into, std::vector<cache::BlockRef> held, Reader reader);
  // After a client's read of these blocks: what should be in the cache before the next one comes. `readAhead` brings it there.
  std::optional<cache::BlockRange> noteRead(cache::BlockRange blocks) { return m_sequential.note(blocks); }
  static Task<void> readAhead(std::shared_ptr<StoredFile> file, cache::BlockRange blocks);

  LandingFile& landing() { return m_landing; }
  uint64_t cutCount() const { return m_cutCount.load(); }  // grows before and after blocks beyond a size are dropped; odd meanwhile
  uint64_t changeCount() const { return m_changeCount.load(std::memory_order_relaxed); }  // grows with every write and punch

 private:
  struct SegmentWrites {
    uint64_t counter = 0;
    std::chrono::steady_clock::time_point lastWrite{};
    uint32_t underway = 0;
  };
  struct Stamp;      // of a segment's content, for whoever puts it into the read cache
  struct Piece;      // the part of a read in one segment
  class Writing;     // counts a write before and after
  class Cutting;

  Task<Result<void>> prepareForJob();
  std::chrono::steady_clock::time_point lastWriteBeforeStart() const;
  static std::vector<Piece> splitMissing(uint64_t offset, MutableBytes into, std::span<const cache::BlockRef> held, Reader reader);
  Task<Result<void>> readAligned(uint64_t offset, MutableBytes into);
  Task<Result<void>> readMissing(std::vector<Piece> pieces);
  static void restore(std::vector<Piece>& pieces, std::vector<Piece>& moved);
  Task<Result<void>> readPieces(std::vector<Piece>& pieces);
  bool planFromRam(Piece& piece);
  Task<Result<void>> planFromDisk(Piece& piece);
  Task<Result<void>> readLandedPart(const Piece& piece);
  static void zeroHoles(const Piece& piece, uint32_t from, uint32_t to);
  void askForExtent(const Piece& piece, const metadata::Extent& extent, uint32_t from, uint32_t to,
                    std::vector<blockstore::BlockRead>& blockReads);
  void fillFromRecipe(const Piece& piece, std::vector<blockstore::BlockRead>& blockReads);
  void findMissing(uint64_t firstBlock, std::span<cache::BlockRef> into, Reader reader);
  size_t findOptimized(uint32_t segment, uint64_t firstBlock, std::span<cache::BlockRef> into, Reader reader);
  Stamp stamp(uint32_t segment) const;
  void cacheLanded(const Piece& piece);
  cache::BlockKey keyOf(uint64_t block) const { return {m_cacheId.load(std::memory_order_relaxed), block}; }
  bool isOvertaken(const Piece& piece) const;
  Task<bool> recipeChanged(const Piece& piece);

  Task<Result<void>> fillEdges(uint64_t offset, uint64_t end, AlignedBuffer& buffer);
  Task<Result<uint64_t>> keepAligned(uint64_t offset, Bytes data, Keep keep);
  Task<Result<uint64_t>> landAligned(uint64_t offset, Bytes data, os::Durability durability);
  Task<Result<uint64_t>> landDirect(uint64_t offset, Bytes data, os::Durability durability);
  uint64_t putAligned(uint64_t offset, Bytes data, cache::Promise promise);
  bool mayBeReplayed() const;
  void eraseClean(cache::BlockRange range);
  // Entries of the journal before `before` must not bring these blocks back.
  struct Voided {
    cache::BlockRange range;
    uint64_t before = 0;
  };
  Task<Result<void>> voidReplay(std::vector<Voided> voided);
  static Task<void> voidInBackground(std::shared_ptr<StoredFile> file, std::vector<Voided> voided, uint64_t number);
  Task<Result<bool>> journalBlocks(std::vector<cache::DirtyBlocks::Taken> blocks, uint64_t sizeAfter);
  void renewCacheId();
  Result<uint64_t> newBytesBlocking(os::ByteRange range);
  Task<Result<void>> dropBeyond(uint64_t size);
  uint64_t writtenEnd() const;
  enum class Moment { Begin, End };
  void noteWrite(uint64_t from, uint64_t to, Moment moment);
  void noteWriteBeyond(uint64_t from);
  uint64_t writeCounterOf(uint32_t segment) const REQUIRES(m_mutex);
  Task<Result<void>> syncOrTell();
  void tellIfSyncFailed();

  Shared& m_shared;
  const metadata::FileId m_fileid;
  LandingFile m_landing;
  cache::DirtyBlocks m_dirty;
  os::RangeLock m_lock;
  os::RangeLock m_landLock;
  os::RangeLock m_syncLock;
  os::RangeLock m_aheadLock;                 // over what is being read ahead: whoever needs it waits for it
  cache::SequentialReads m_sequential;
  std::atomic<uint64_t> m_cacheId;           // owner of the file's blocks in the read cache; a new one when blocks were cut off
  std::atomic<uint64_t> m_lastJournaled = 0; // the newest group of the journal that holds something of the file
  std::atomic<bool> m_trimmed = false;
  std::atomic<bool> m_syncFailed = false;
  std::atomic<uint64_t> m_changeCount = 0;
  std::atomic<uint64_t> m_cutCount = 0;

  mutable Mutex m_mutex;
  std::map<uint32_t, SegmentWrites> m_writes GUARDED_BY(m_mutex);
  std::set<uint64_t> m_voiding GUARDED_BY(m_mutex);  // appends of voiding entries that are under way, numbered
  uint64_t m_voidingNext GUARDED_BY(m_mutex) = 0;
  std::optional<Error> m_voidingFailure GUARDED_BY(m_mutex);
  uint64_t m_absentCounter GUARDED_BY(m_mutex);      // of segments that m_writes does not know
  uint64_t m_writtenEnd GUARDED_BY(m_mutex) = 0;     // where the furthest finished write ended since the start or the last shortening
};

}  // namespace quarry
