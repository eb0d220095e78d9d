// SPDX-License-Identifier: GPL-3.0-or-later
// The optimize job: landed, cold segments of the selected files become runs and frames of the block store, and their landing space is freed.
// Segments are read and fingerprinted ahead on all workers, placed one after the other, compressed and written by container, and committed
// in the order that recipe_committer.h keeps.
//
// Threads: run() on one executor that runs one handler at a time; the work itself is on the worker pool. One optimizer at a time per store.
// Memory: (workers + 2) segments of 4 MiB (14 at most), and BlockWriter's 120 MiB; at most 4096 recipes wait for their container.
// Failure: a file that cannot be read is noted by name and skipped. NoSpace (also at the reserve), ReadOnly (the store turned so), and errors of
// the database or of new containers, end the job with that error; Cancelled when asked to stop, after what was begun has been sealed and
// committed. What is committed stays good in each case.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_writer.h"
#include "engine/blockstore/parallel.h"
#include "engine/dedup/file_source.h"
#include "engine/dedup/job_monitor.h"
#include "engine/dedup/recipe_committer.h"
#include "engine/dedup/segment_loader.h"
#include "engine/os/file.h"

namespace quarry::dedup {

// What the optimizer works with; everything must outlive it.
struct OptimizerParts {
  os::FileSystem& fileSystem;
  std::string containerFolder;
  metadata::RecipeTable& recipes;
  FileSource& source;
  const blockstore::StoreKey& key;
  asio::thread_pool& workers;
  size_t workerCount = 1;
  const Clock& clock;
  std::function<uint64_t()> availableBytes;  // free on the disk, less the reserve; asked before every segment
};

class Optimizer {
 public:
  // `minAge` overrides the files' policies.
  Optimizer(OptimizerParts parts, Selection selection, std::optional<std::chrono::seconds> minAge, JobMonitor& monitor);

  Task<Result<void>> run();

 private:
  struct Ahead {
    std::shared_ptr<const OpenFile> file;
    uint32_t segment = 0;
    blockstore::Spawned<Result<LoadedSegment>> loaded;
  };
  struct Opened {
    std::shared_ptr<FileData> data;
    std::vector<uint32_t> segments;  // that hold landing data
  };
  static constexpr size_t pendingMax = 4096;
  static constexpr uint64_t spaceBytesMin = 64ull << 20;  // four containers: filling, spare and two that are being sealed

  Task<Result<void>> survey();
  bool isWanted(const SourceFile& file);
  void reportUnwanted();
  Task<Result<void>> work(blockstore::BlockWriter& writer);
  Task<Result<void>> makeRoom(blockstore::BlockWriter& writer);
  Task<void> readAhead();
  Task<std::optional<Opened>> openFile(const SourceFile& file);
  Task<bool> openNextFile();
  Task<void> drain();
  Task<Result<void>> process(blockstore::BlockWriter& writer, const Ahead& ahead, Result<LoadedSegment> loaded);
  Task<Result<void>> place(blockstore::BlockWriter& writer, const Ahead& ahead, LoadedSegment& loaded);
  Task<Result<void>> commitIfDue(blockstore::BlockWriter& writer);
  Task<Result<void>> commitReady(blockstore::BlockWriter& writer);
  void skip(const OpenFile& file, SegmentState state);
  void reportSkipped();
  std::chrono::steady_clock::time_point coldBefore(const SourceFile& file) const;

  const OptimizerParts m_parts;
  const Selection m_selection;
  const std::optional<std::chrono::seconds> m_minAge;
  JobMonitor& m_monitor;
  SegmentLoader m_loader;
  RecipeCommitter m_committer;

  std::map<std::string, uint64_t> m_unwanted;         // files by reason
  std::deque<SourceFile> m_files;                     // to be opened
  std::shared_ptr<const OpenFile> m_file;             // whose segments are being read ahead
  std::deque<uint32_t> m_segments;                    // of m_file, to be read
  std::deque<Ahead> m_ahead;
  std::chrono::steady_clock::time_point m_lastCommit{};
  metadata::FileId m_lastFile = 0;                    // of the segment placed last
  uint32_t m_lastSegment = 0;
  std::string m_skippedPath;                          // whose skipped segments are being counted
  uint64_t m_youngCount = 0, m_changingCount = 0;
};

}  // namespace quarry::dedup
