// SPDX-License-Identifier: GPL-3.0-or-later
// The RAM cache of one store and what makes it safe: the caches, the journal and the destager, and the size that the user chose
// (STORE/settings.json; changed live).
//
// Threads: construction, start() and stop() from the thread that opens the store; openJournal() and close() on the executor; the rest from any.
// Ownership: files and executor outlive close(); the caches outlive the files.
// Failure of openJournal(): an Error that says what to do. Damage inside the journal is told with what it covers, and the rest is used.
#pragma once

#include <asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/cache/caches.h"
#include "engine/cache/destager.h"
#include "engine/journal/journal.h"
#include "engine/metadata/inode_table.h"
#include "engine/vstorage/file_data_table.h"
#include "engine/vstorage/store_health.h"

namespace quarry {

class StoreCache {
 public:
  struct Options {
    std::string journalFolder;       // empty: STORE/journal
    uint64_t journalBytes = 0;       // of one that is made now; 0: by the size of the cache and of the disk
    uint64_t cacheBytes = 0;         // 0: what was chosen last, or a share of the machine's memory
    bool makeNewJournal = false;     // though the store knows of one that is gone
  };
  struct Surroundings {
    os::FileSystem& fileSystem;
    std::string storePath;
    asio::any_io_executor executor;  // of an io_context: journal and destager do their I/O on it
    std::optional<asio::any_io_executor> journalExecutor = {};  // of one that does nothing else: groups are written there
    const Clock& clock;
    StoreHealth& health;
    Options options;
  };
  static Result<std::unique_ptr<StoreCache>> make(Surroundings surroundings);
  ~StoreCache();

  cache::Caches& caches() { return *m_caches; }
  cache::Destager& destager() { return *m_destager; }
  journal::Journal& journal() { return *m_journal; }

  // Loads what the journal holds as dirty blocks; sizes that go with it are in the namespace afterwards.
  Task<Result<void>> openJournal(FileDataTable& files, metadata::InodeTable& inodes);
  void start() { m_destager->start(); }
  void stop() { m_destager->stop(); }
  // Everything dirty goes to the landing files. What cannot stays in the journal for the next start.
  Task<Result<void>> close();

  // InvalidArgument when the machine has not that much. Durable on return.
  Result<void> setCacheBytes(uint64_t bytes);

 private:
  explicit StoreCache(Surroundings surroundings) : m_parts(std::move(surroundings)) {}
  struct Replay;
  Result<void> readSettings();
  Result<void> writeSettings() const;
  uint64_t journalBytesWanted() const;
  journal::ReplayVisitor visitor(Replay& replay);

  Surroundings m_parts;
  Mutex m_sizing;                             // one change of the size at a time
  std::atomic<uint64_t> m_cacheBytes = 0;
  std::optional<uint64_t> m_ringId;           // of the journal that this store wrote to
  std::unique_ptr<cache::Caches> m_caches;
  std::unique_ptr<journal::Journal> m_journal;
  std::unique_ptr<cache::Destager> m_destager;
};

}  // namespace quarry
