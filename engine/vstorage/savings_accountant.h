// SPDX-License-Identifier: GPL-3.0-or-later
// Where the logical bytes of files, VMs, vstorages and the store went (protocol::Savings). A container's bytes are shared among the files
// that refer to its blocks, in proportion to their references, so that the sum over all files is the whole and a clone costs little.
// Dead blocks of a container belong to no file: they are the difference between the sum and what the disk holds.
//
// Threads: any. Figures are computed on the worker pool and kept; a file's recipes are read again only after they changed.
// Failure: a file whose recipes cannot be read keeps its last figures; the log says so.
#pragma once

#include <asio/thread_pool.hpp>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/metadata/inode_table.h"
#include "engine/metadata/recipe_table.h"
#include "engine/protocol/messages.h"
#include "engine/vstorage/file_data_table.h"

namespace quarry {

void add(protocol::Savings& sum, const protocol::Savings& part);  // and its ratio anew

struct SavingsSnapshot {
  protocol::Savings total;
  std::unordered_map<metadata::VstorageId, protocol::Savings> vstorages;
  std::unordered_map<metadata::FileId, protocol::Savings> files;  // regular files

  protocol::Savings file(metadata::FileId fileid) const;
  protocol::Savings vstorage(metadata::VstorageId id) const;
};

class SavingsAccountant {
 public:
  SavingsAccountant(metadata::InodeTable& inodes, metadata::RecipeTable& recipes, FileDataTable& files, asio::thread_pool& workers,
                    const Clock& clock);

  // Figures not older than that; 0: now. Never null.
  Task<std::shared_ptr<const SavingsSnapshot>> current(std::chrono::milliseconds ageMax);
  std::shared_ptr<const SavingsSnapshot> last() const;  // at once; empty before the first current()

  // Call after recipes of the file changed in a way that RecipeStats may not show (a job replaced some).
  void recipesChanged(metadata::FileId fileid);

 private:
  struct FileShares {
    std::vector<std::pair<metadata::ContainerNumber, uint64_t>> references;  // blocks that no landed block shadows, by container
    uint64_t referencedBlocks = 0;
    metadata::RecipeStats stats;       // what the recipes looked like then
    uint64_t changeCount = 0;          // of the file's data then
    std::chrono::steady_clock::time_point readAt{};
  };
  struct FileFacts;

  std::shared_ptr<const SavingsSnapshot> computeOnce(std::chrono::steady_clock::time_point asked, std::chrono::milliseconds ageMax);
  std::shared_ptr<const SavingsSnapshot> compute() REQUIRES(m_computeMutex);
  std::vector<FileFacts> gather() REQUIRES(m_computeMutex);
  void readShares(metadata::FileId fileid, FileShares& shares);
  bool isOutdated(metadata::FileId fileid, const FileShares& shares);

  metadata::InodeTable& m_inodes;
  metadata::RecipeTable& m_recipes;
  FileDataTable& m_files;
  asio::thread_pool& m_workers;
  const Clock& m_clock;

  Mutex m_computeMutex;                                     // one computation at a time, on worker threads only
  std::unordered_map<metadata::FileId, FileShares> m_shares GUARDED_BY(m_computeMutex);
  mutable Mutex m_mutex;
  std::set<metadata::FileId> m_changed GUARDED_BY(m_mutex);
  std::shared_ptr<const SavingsSnapshot> m_snapshot GUARDED_BY(m_mutex);
  bool m_isComputed GUARDED_BY(m_mutex) = false;
  std::chrono::steady_clock::time_point m_computedAt GUARDED_BY(m_mutex){};  // when the snapshot was begun
};

}  // namespace quarry
