// SPDX-License-Identifier: GPL-3.0-or-later
// Where the logical bytes of files, VMs, vstorages and the store went (protocol::Savings). A container's bytes are shared among the files
// that refer to its blocks, in proportion to their references, so that the sum over all files is the whole and a clone costs little.
// Dead blocks of a container belong to no file: they are the difference between the sum and what the disk holds.
//
// Threads: any. Figures are computed on a thread of their own, one computation at a time, and kept; whoever asks meanwhile waits for it
// without holding a thread. A file's recipes are read again only after they changed. stop() before the loops of those who wait end.
// Failure: a file whose recipes cannot be read keeps its last figures; the log says so.
#pragma once

#include <asio/thread_pool.hpp>
#include <atomic>
#include <chrono>
#include <functional>
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
  SavingsAccountant(metadata::InodeTable& inodes, metadata::RecipeTable& recipes, FileDataTable& files, const Clock& clock);
  ~SavingsAccountant();

  // Figures not older than that; 0: now. Never null.
  Task<std::shared_ptr<const SavingsSnapshot>> current(std::chrono::milliseconds ageMax);
  std::shared_ptr<const SavingsSnapshot> last() const;  // at once; empty before the first current()

  // For callers that cannot wait: `done` runs on the computing thread with the figures of the next computation to end.
  void measure(std::function<void(std::shared_ptr<const SavingsSnapshot>)> done);
  // Ends the computing; the figures known last are the answer from then on.
  void stop();

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

  struct Computed {
    std::shared_ptr<const SavingsSnapshot> snapshot;
    uint64_t number = 0;                             // of computations begun
    std::chrono::steady_clock::time_point begun{};
  };
  void whenComputed(std::function<void(Computed)> done);
  void computeNow();
  std::shared_ptr<const SavingsSnapshot> compute();
  std::vector<FileFacts> gather();
  void readShares(metadata::FileId fileid, FileShares& shares);
  bool isOutdated(metadata::FileId fileid, const FileShares& shares);

  metadata::InodeTable& m_inodes;
  metadata::RecipeTable& m_recipes;
  FileDataTable& m_files;
  const Clock& m_clock;

  std::unordered_map<metadata::FileId, FileShares> m_shares;  // the computing thread's
  std::atomic<bool> m_isStopped = false;
  mutable Mutex m_mutex;
  std::set<metadata::FileId> m_changed GUARDED_BY(m_mutex);
  Computed m_last GUARDED_BY(m_mutex);                        // number 0: none yet
  uint64_t m_begunCount GUARDED_BY(m_mutex) = 0;
  bool m_isComputing GUARDED_BY(m_mutex) = false;
  std::vector<std::function<void(Computed)>> m_waiters GUARDED_BY(m_mutex);
  asio::thread_pool m_thread{1};
};

}  // namespace quarry
