// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of one regular file: its landing file, its recipes and the rule between them, "landing wins": a 4 KiB block is
// read from the landing file if it has data there, else from the segment's recipe, else it is zero.
//
// Threads: every call from any coroutine on any io_context at once. Writes lock the blocks they touch (RangeLock), reads lock nothing: a read
// that a punch overtook (a counter per segment) starts again. The size is the namespace's: callers clip reads to it and extend it
// after writes; bytes of the last block beyond the size are kept zero.
// Failure: a failed read or write fails alone. A failed sync of landing data is reported to FileDataTable's onSyncFailed: the store
// turns read-only.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/landing/landed_map.h"
#include "engine/metadata/inode_table.h"
#include "engine/metadata/recipe_table.h"
#include "engine/os/file.h"

namespace quarry {

// What a job saw of a segment. A segment is unchanged while writeCounter stays equal.
struct SegmentView {
  uint64_t writeCounter = 0;
  LandedBlocks landed;                                  // blocks that the landing file holds
  std::chrono::steady_clock::time_point lastWrite{};    // of one that was not written since this engine started: when it can have been, at the latest
};

class FileData {
 public:
  virtual ~FileData() = default;
  virtual metadata::FileId fileid() const = 0;

  // Fills `into` with the bytes at `offset`: whatever landing, recipes and holes say, without regard to the size. Any alignment.
  virtual Task<Result<void>> read(uint64_t offset, MutableBytes into) = 0;

  // Writes any range; `sizeBefore` is the file's size, so that what lay beyond it counts as zero.
  // Durable: on stable storage when it returns.
  virtual Task<Result<void>> write(uint64_t offset, Bytes data, uint64_t sizeBefore, os::Durability durability) = 0;

  // Everything written so far is on stable storage when it returns.
  virtual Task<Result<void>> sync() = 0;

  // Shortens to `size`: zeroes the tail of the last block, drops recipes and landing data beyond, durable. Idempotent: also the
  // repair after a crash in the middle. The caller has recorded the size durably before.
  virtual Task<Result<void>> shorten(uint64_t size) = 0;

  // Growth from an unaligned size: the rest of the old last block reads as zero afterwards.
  virtual Task<Result<void>> zeroTail(uint64_t oldSize) = 0;

  // --- for jobs
  virtual Task<Result<SegmentView>> view(uint32_t segment) = 0;
  virtual Task<Result<std::vector<uint32_t>>> landedSegments() = 0;   // that hold landing data, in order
  // Reads the landing file alone, [firstBlock, firstBlock + count) of the segment. What has not landed there comes as any bytes.
  virtual Task<Result<void>> readLanded(uint32_t segment, uint32_t firstBlock, MutableBytes into) = 0;
  // Under the segment's lock: if writeCounter still equals, frees the landing data of the segment (readers then use the recipe).
  // Returns the bytes freed; 0 when something wrote meanwhile.
  virtual Task<Result<uint64_t>> punchIfUnchanged(uint32_t segment, uint64_t writeCounter) = 0;
  virtual uint64_t landedBytes() const = 0;
};

}  // namespace quarry
