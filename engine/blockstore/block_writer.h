// SPDX-License-Identifier: GPL-3.0-or-later
// The writing side of the block store: takes the blocks of a segment, finds which are stored already (run_matcher.h), puts the new
// ones into the container under construction, and answers with extents. An extent may be committed once the container it lies in is sealed:
// newestContainer <= sealedThrough().
//
// Threads: one job's coroutine at a time, whose executor runs one handler at a time. Matching and compression run on the worker
// pool; up to two containers are sealed (compressed, written, synced) while the next one fills.
// Ownership: references must outlive it. finish() must have returned before it is destroyed.
// Memory: at most 4 buffers of 16 MiB (filling, spare, 2 sealing), 24 MiB of fingerprint lists and their table, 32 MiB of directories.
// Failure: the first NoSpace or IoError of a seal is final for this writer: every later call returns it. What was sealed stays good; the
// rest is as if it had never been given. A damaged or missing container is not shared from; warnings tell.
#pragma once

#include <bitset>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_store.h"
#include "engine/blockstore/container_files.h"
#include "engine/blockstore/container_writer.h"
#include "engine/blockstore/parallel.h"
#include "engine/blockstore/run_matcher.h"
#include "engine/metadata/recipe_table.h"
#include "engine/os/file.h"

namespace quarry::blockstore {

struct SegmentBlocks {
  Bytes data;                                 // the segment's 4 MiB; only blocks that are present matter
  std::span<const Fingerprint> fingerprints;  // one for each block of the segment
  std::bitset<segmentBlocks> present;         // to be stored: landed and not zero
  int level = 1;                              // zstd's
  bool followsLast = false;                   // this segment follows the one given before in the same file
};

struct Placement {
  metadata::Recipe extents;
  ContainerNumber newestContainer = 0;
  uint32_t duplicateBlocks = 0;
  uint32_t newBlocks = 0;
};

// A container that is durable, with what the transaction that names it needs.
struct SealedContainer {
  metadata::ContainerRow row;
  std::vector<metadata::Hook> hooks;
};

class BlockWriter {
 public:
  static Result<std::unique_ptr<BlockWriter>> open(os::FileSystem& fileSystem, std::string folder, metadata::RecipeTable& recipes,
                                                   asio::thread_pool& workers);
  ~BlockWriter();

  Task<Result<Placement>> add(const SegmentBlocks& segment);
  // Seals the open container, if it holds anything, and waits for all that are being sealed.
  Task<Result<void>> sealAll();
  // Waits for what is being sealed without starting more. Must be called last, also after an error.
  Task<void> finish();

  ContainerNumber sealedThrough() const { return m_sealedThrough; }
  std::vector<SealedContainer> takeSealed() { return std::exchange(m_sealed, {}); }
  std::vector<std::string> takeWarnings() { return std::exchange(m_warnings, {}); }

 private:
  struct Sealing {
    std::unique_ptr<ContainerWriter> container;
    Spawned<Result<metadata::ContainerRow>> row;
  };
  static constexpr size_t sealingMax = 2;

  BlockWriter(os::FileSystem& fileSystem, std::string folder, metadata::RecipeTable& recipes, asio::thread_pool& workers,
              ContainerNumber nextNumber);
  Task<Result<void>> loadLists(const SegmentBlocks& segment);
  Result<std::vector<std::pair<Fingerprint, ContainerNumber>>> findHooks(const SegmentBlocks& segment);
  Task<void> loadList(ContainerNumber number);
  std::unique_ptr<ContainerWriter> makeContainer();
  void makeRoom();
  Placement place(const SegmentBlocks& segment);
  void placeStretch(const SegmentBlocks& segment, uint32_t first, uint32_t count, Placement& placement);
  PhysicalBlock storeNew(const SegmentBlocks& segment, uint32_t block);
  Task<void> startSealing();
  Task<void> collectSealed(size_t leftMax);

  os::FileSystem& m_fileSystem;
  const std::string m_folder;
  metadata::RecipeTable& m_recipes;
  asio::thread_pool& m_workers;
  ContainerFiles m_files;
  RunMatcher m_matcher;
  ContainerNumber m_nextNumber;
  std::unique_ptr<ContainerWriter> m_open, m_spare;  // the spare takes what does not fit into the open one
  std::deque<Sealing> m_sealing;                     // in number order
  std::vector<AlignedBuffer> m_buffers;              // of containers that are sealed
  ContainerNumber m_sealedThrough;
  PhysicalBlock m_lastBlock = 0;                     // where the last block of the segment before was placed; 0: it was not
  std::vector<SealedContainer> m_sealed;
  std::set<ContainerNumber> m_unusable;              // damaged or missing
  std::vector<std::string> m_warnings;
  std::optional<Error> m_error;
};

// Adds an extent behind the others; one that continues the last one is merged with it.
void appendExtent(metadata::Recipe& recipe, const metadata::Extent& extent);

}  // namespace quarry::blockstore
