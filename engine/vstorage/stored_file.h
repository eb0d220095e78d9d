// SPDX-License-Identifier: GPL-3.0-or-later
// FileData over a landing file, recipes and the block store. Besides the contract it offers the pieces that a vstorage needs to change
// data and size together: a lock over a range, and write, shorten and zeroTail for whoever holds it.
//
// Two invariants:
//  - Nothing beyond the size: landing file and recipes hold only zeros beyond the file's size, but for writes underway or failed. It
//    is established once per start of the engine, before the first write or growth (trim), because a crash may have left data
//    whose new size was never recorded; a failed write makes the next one establish it again.
//  - Write counters: see StoredFile::Writing in stored_file.cpp.
#pragma once

#include <asio/thread_pool.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/blockstore/block_store.h"
#include "engine/landing/landing_file.h"
#include "engine/metadata/recipe_table.h"
#include "engine/os/range_lock.h"
#include "engine/vstorage/file_data.h"

namespace quarry {

class StoredFile : public FileData {
 public:
  // What all files of a store share; outlives them.
  struct Shared {
    LandingFile::Folder& landing;
    metadata::RecipeTable& recipes;
    blockstore::BlockStore& blocks;
    const Clock& clock;
    std::function<void(const Error&)> onSyncFailed;
    struct Facts {
      uint64_t size = 0;
      Timestamp modified;
    };
    std::function<std::optional<Facts>(metadata::FileId)> factsOf;  // nothing: the file is gone
    std::atomic<uint64_t> writeCounter = 1;   // of all files, so that no value ever comes twice
    const std::chrono::steady_clock::time_point startedAt = clock.steady();
    std::atomic<uint64_t> landedBlocksNew = 0; // blocks that landed anew: what the disk's free space has lost since it was asked
  };

  StoredFile(Shared& shared, metadata::FileId fileid);

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
  // REQUIRE: prepared; lock over the range held. newBytes(), of an aligned range: what neither landing file nor recipes hold, which a write
  // of it adds to the file. writeLocked() returns how many blocks landed anew.
  Task<Result<uint64_t>> newBytes(os::ByteRange range);
  Task<Result<uint64_t>> writeLocked(uint64_t offset, Bytes data, os::Durability durability);
  // REQUIRE: prepared; lock from `size` toEnd held.
  Task<Result<void>> shortenLocked(uint64_t size);
  Task<Result<void>> zeroTailLocked(uint64_t size);

  LandingFile& landing() { return m_landing; }
  uint64_t changeCount() const { return m_changeCount.load(std::memory_order_relaxed); }  // grows with every write and punch

 private:
  struct SegmentWrites {
    uint64_t counter = 0;
    std::chrono::steady_clock::time_point lastWrite{};
  };
  struct Piece;      // the part of a read in one segment
  class Writing;     // counts a write before and after

  Task<Result<void>> prepareForJob();
  std::chrono::steady_clock::time_point lastWriteBeforeStart() const;
  enum class Locking { NotHeld, Held };
  static std::vector<Piece> split(uint64_t offset, MutableBytes into);
  Task<Result<void>> readAligned(uint64_t offset, MutableBytes into, Locking locking);
  Task<Result<void>> readPieces(std::vector<Piece>& pieces);
  bool planFromRam(Piece& piece);
  Task<Result<void>> planFromDisk(Piece& piece);
  Task<Result<void>> readLandedPart(const Piece& piece);
  static void zeroHoles(const Piece& piece, uint32_t from, uint32_t to);
  static void askForExtent(const Piece& piece, const metadata::Extent& extent, uint32_t from, uint32_t to,
                           std::vector<blockstore::BlockRead>& blockReads);
  static void fillFromRecipe(const Piece& piece, std::vector<blockstore::BlockRead>& blockReads);
  bool isOvertaken(const Piece& piece) const;
  Task<bool> recipeChanged(const Piece& piece);

  Task<Result<void>> fillEdges(uint64_t offset, uint64_t end, AlignedBuffer& buffer);
  Task<Result<uint64_t>> landAligned(uint64_t offset, Bytes data, os::Durability durability);
  Result<uint64_t> newBytesBlocking(os::ByteRange range);
  Task<Result<void>> dropBeyond(uint64_t size);
  uint64_t writtenEnd() const;
  void noteWrite(uint64_t from, uint64_t to);
  void noteWriteBeyond(uint64_t from);
  Task<Result<void>> syncOrTell();
  void tellIfSyncFailed();

  Shared& m_shared;
  const metadata::FileId m_fileid;
  LandingFile m_landing;
  os::RangeLock m_lock;
  os::RangeLock m_syncLock;
  std::atomic<bool> m_trimmed = false;
  std::atomic<bool> m_syncFailed = false;
  std::atomic<uint64_t> m_changeCount = 0;

  mutable Mutex m_mutex;
  std::map<uint32_t, SegmentWrites> m_writes GUARDED_BY(m_mutex);
  uint64_t m_absentCounter GUARDED_BY(m_mutex);      // of segments that m_writes does not know
  uint64_t m_writtenEnd GUARDED_BY(m_mutex) = 0;     // where the furthest finished write ended since the start or the last shortening
};

}  // namespace quarry
