// SPDX-License-Identifier: GPL-3.0-or-later
// The data of all regular files, by fileid. One object per file that was touched since the engine started (a few hundred bytes and the
// bitmaps of its landed segments); of their landing files at most openFilesMax stay open, the least recently used are closed.
//
// Threads: any. Background work (unlinking, orphans, closing) runs as coroutines on `loop`; drain() waits for it.
// Ownership: must outlive its FileData objects and be destroyed after its loops stopped.
// Failure: what the background cannot delete is logged and found again as an orphan at the next start.
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/work_count.h"
#include "engine/metadata/inode_table.h"
#include "engine/vstorage/stored_file.h"

namespace quarry {

class FileDataTable {
 public:
  static constexpr uint64_t openFilesMaxDefault = 4096;

  struct Parts {
    os::FileSystem& fileSystem;
    std::string landingFolder;                        // STORE/landing
    metadata::InodeTable& inodes;
    metadata::RecipeTable& recipes;
    blockstore::BlockStore& blocks;
    cache::Caches& caches;
    asio::thread_pool& workers;
    asio::any_io_executor loop;                       // of an io_context: background coroutines do file I/O on it
    const Clock& clock;
    std::function<void(const Error&)> onSyncFailed;   // any thread; turns the store read-only
    std::function<void(const Error&)> onDamage;       // what the start found amiss; may be empty
    uint64_t openFilesMax = openFilesMaxDefault;
  };

  explicit FileDataTable(Parts parts);

  // The file's data; made on first use. Never waits. Whether the file exists is the namespace's business.
  std::shared_ptr<StoredFile> get(metadata::FileId fileid);
  // Only if it was touched since the start.
  std::shared_ptr<StoredFile> find(metadata::FileId fileid) const;

  // In the background; nothing when much of that is going on.
  void startReadAhead(std::shared_ptr<StoredFile> file, cache::BlockRange blocks);

  // The files are gone from the namespace: their landing files and recipes go in the background.
  void drop(std::vector<metadata::FileId> fileids);

  // Before serving: finishes shortenings that a crash interrupted. One that fails is told and stays pending, and its file takes no write beyond
  // the new size until it was finished. Returns how many stayed.
  Task<size_t> recover();
  // Before serving: data of files that the namespace never knew means that namespace.db is older than the data (brought back from a backup, or
  // rolled back by a disk). It is told and kept for good, and no new file gets such a fileid.
  Task<Result<void>> keepUnknownData();
  // After both: removes landing files and recipes without an inode, in the background.
  void startOrphanSweep();
  // Waits until no background work is left.
  Task<void> drain();

  uint64_t openFileCount() const { return m_folder.openCount.load(); }
  StoredFile::Shared& shared() { return m_shared; }

 private:
  struct Closing;  // files to be closed, taken in turn
  std::shared_ptr<cache::CacheAccount> accountOf(metadata::FileId fileid) const;
  Task<void> dropOne(std::shared_ptr<StoredFile> file);
  Task<void> dropAll(std::vector<metadata::FileId> fileids);
  Task<void> sweep();
  Task<void> closeIdle();
  Task<bool> closeInTurn(std::shared_ptr<Closing> closing);
  void closeIdleIfTooMany();
  void start(std::function<Task<void>()> work);
  static Task<void> countedWork(std::shared_ptr<WorkCount> background, Task<void> work);
  Task<Result<void>> finishShortening(const metadata::Inode& inode);
  Task<bool> dropOrphans(std::vector<metadata::FileId> candidates);
  Result<std::vector<metadata::FileId>> listBlocking(unsigned low) const;
  bool isOrphan(metadata::FileId fileid) const;

  Parts m_parts;
  LandingFile::Folder m_folder;
  StoredFile::Shared m_shared;
  std::atomic<bool> m_closing = false;
  std::atomic<uint64_t> m_readsAhead = 0;
  std::shared_ptr<WorkCount> m_background;  // shared with what runs: a coroutine destroyed late finds it alive
  mutable Mutex m_mutex;
  std::unordered_map<metadata::FileId, std::shared_ptr<StoredFile>> m_files GUARDED_BY(m_mutex);
};

}  // namespace quarry
