// SPDX-License-Identifier: GPL-3.0-or-later
// The reading half of optimize: what a cold segment has landed, with zero blocks found and fingerprints made on the worker pool.
//
// Threads: load() from any number of coroutines; the buffers are shared among them. Memory: 4 MiB for each LoadedSegment alive.
// Failure: an error means that this segment cannot be read (disk, damaged recipe); nothing was changed.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_store.h"
#include "engine/dedup/file_source.h"
#include "engine/metadata/recipe_table.h"
#include "engine/vstorage/file_data.h"

namespace quarry::dedup {

struct OpenFile {
  SourceFile source;
  std::shared_ptr<FileData> data;
};

enum class SegmentState { Loaded, Young, Changing, Nothing };  // Changing: written, truncated or removed while it was read

struct LoadedSegment {
  SegmentState state = SegmentState::Nothing;
  uint64_t truncateCounter = 0, writeCounter = 0;
  LandedBlocks landed, present;  // present: landed and not zero
  AlignedBuffer data;
  std::vector<blockstore::Fingerprint> fingerprints;
  std::shared_ptr<const metadata::Recipe> existing;  // null: none
};

class SegmentLoader {
 public:
  SegmentLoader(FileSource& source, metadata::RecipeTable& recipes, const blockstore::StoreKey& key, asio::thread_pool& workers)
      : m_source(source), m_recipes(recipes), m_key(key), m_workers(workers) {}

  // `coldBefore`: a segment written at or after this is Young.
  Task<Result<LoadedSegment>> load(std::shared_ptr<const OpenFile> file, uint32_t segment, std::chrono::steady_clock::time_point coldBefore);
  // Gives the buffer back for the next load.
  void recycle(LoadedSegment&& segment);

 private:
  AlignedBuffer takeBuffer();
  Task<Result<void>> readLanded(FileData& data, uint32_t segment, LoadedSegment& loaded);
  void fingerprint(LoadedSegment& loaded) const;
  Task<Result<bool>> hasChanged(const OpenFile& file, uint32_t segment, const LoadedSegment& loaded);

  FileSource& m_source;
  metadata::RecipeTable& m_recipes;
  const blockstore::StoreKey m_key;
  asio::thread_pool& m_workers;
  Mutex m_mutex;
  std::vector<AlignedBuffer> m_buffers GUARDED_BY(m_mutex);
};

}  // namespace quarry::dedup
