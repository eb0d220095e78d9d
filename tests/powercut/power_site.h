// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's data and namespace layers over a simulated disk, put together as Store does it, with one loop that the caller's thread runs and
// one worker: so a run has the same order of changes on the disk each time, if one operation at a time is under way.
//
// Threads: one, the caller's; the engine's own threads change the disk only while that one waits. Ownership: the disk outlives it.
// Failure of open(): the Error that a start of the engine would end with.
#pragma once

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/blockstore/block_store.h"
#include "engine/metadata/recipe_table.h"
#include "engine/metadata/transaction_queue.h"
#include "engine/store_cache.h"
#include "engine/vstorage/savings_accountant.h"
#include "engine/vstorage/space_guard.h"
#include "engine/vstorage/vm_catalog.h"
#include "engine/vstorage/vstorage_table.h"
#include "engine/vstorage_files.h"
#include "tests/powercut/power_model.h"
#include "tests/support/manual_clock.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_log_disk.h"

namespace quarry::test {

class PowerSite {
 public:
  struct Options {
    int startNumber = 0;    // grows with every start on the same disk: time goes on
    bool isSwept = true;    // of what removed files left; takes half of the time of a start
    protocol::WriteMode newMode = protocol::WriteMode::Safe;  // of the vstorage, if it is made now
    bool isOrdered = true;  // what the first change makes a thread of the namespace do at some time is done when open() returns
  };
  static Result<std::unique_ptr<PowerSite>> open(SimLogDisk& disk, Options options);
  ~PowerSite();

  // Runs the loop until the task has ended; what it left in the background may still be under way.
  template <class T>
  T run(Task<T> task) {
    std::optional<T> value;
    spawn(m_context, fetch(std::move(task), value));
    runUntil([&] { return value.has_value(); });
    return std::move(*value);
  }
  void spawnTask(Task<void> task) { spawn(m_context, std::move(task)); }
  void runUntil(const std::function<bool()>& isDone);
  void settle();  // until nothing is left in the background

  SimLogDisk& disk() { return m_disk; }
  Vstorage& vstorage() { return *m_vstorage; }
  protocol::WriteMode writeMode();
  Task<Result<void>> optimize();
  Task<Result<void>> destage();     // all that is dirty, and a checkpoint as the destager makes them
  Task<Result<void>> setWriteMode(protocol::WriteMode mode);
  Result<void> fillRing();          // until the journal's next groups go over its end
  Result<void> stop();              // as Store::close()

  Task<Result<ObservedFile>> readFile(FileId fileid);  // its areas
  Result<Observed> observe();
  // Landing files and recipes of no file. REQUIRES: swept and settled.
  std::vector<std::string> strays();
  // What the engine said was damaged, or why it takes no more writes.
  std::vector<std::string> complaints() const;

  static constexpr uint64_t readChunkBytes = 64 * 1024;
  inline static const Caller caller{0, 0, {}};

 private:
  PowerSite(SimLogDisk& disk, Options options);
  Result<void> openDatabases();
  Result<void> buildDataPlane();
  Result<void> openVstorages();
  Result<void> makeVstorage(const std::string& name);
  Result<void> raiseTimes();
  Task<Result<void>> readArea(FileId fileid, uint64_t offset, uint64_t end, std::vector<std::byte>& into);
  void complain(std::string text);

  class NoRecorders : public IoRecorders {
   public:
    std::shared_ptr<IoRecorder> open(const std::string&) override;
  };

  SimLogDisk& m_disk;
  const Options m_options;
  const std::string m_path;
  ManualClock m_clock;
  const blockstore::StoreKey m_key;
  asio::thread_pool m_workers{1};
  mutable Mutex m_mutex;
  std::vector<std::string> m_complaints GUARDED_BY(m_mutex);
  NoRecorders m_recorders;
  asio::io_context m_context;
  asio::executor_work_guard<asio::io_context::executor_type> m_guard{m_context.get_executor()};
  StoreHealth m_health;
  std::unique_ptr<metadata::TransactionQueue> m_namespaceQueue, m_blocksQueue;
  std::unique_ptr<metadata::InodeTable> m_inodes;
  std::unique_ptr<metadata::RecipeTable> m_recipes;
  std::unique_ptr<blockstore::BlockStore> m_blocks;
  std::unique_ptr<StoreCache> m_cache;
  std::unique_ptr<FileDataTable> m_files;
  std::unique_ptr<SpaceGuard> m_space;
  std::unique_ptr<VmCatalog> m_vms;
  std::unique_ptr<SavingsAccountant> m_savings;
  std::unique_ptr<VstorageTable> m_vstorages;
  std::shared_ptr<Vstorage> m_vstorage, m_other;
  FileId m_pulse = 0;       // a file of the other vstorage
};

}  // namespace quarry::test
