// SPDX-License-Identifier: GPL-3.0-or-later
// Everything of the engine that lives in the store's folder, opened bottom-up and closed top-down: the lock, the three databases, the
// namespace, the block store, the files' data and the vstorages. Knows nothing of NFS, of jobs and of the control protocol.
//
// Threads: open(), close() and destruction from one thread that is no loop; the parts as their headers say. Ownership: loops, workers
// and registry outlive it. close() makes everything durable; destroy only after the loops stopped.
// Failure of open(): an Error that names the file and says what to do; nothing in the folder was harmed.
#pragma once

#include <asio/thread_pool.hpp>
#include <memory>
#include <string>

#include "engine/base/clock.h"
#include "engine/blockstore/block_store.h"
#include "engine/io_stat_recorders.h"
#include "engine/metadata/database.h"
#include "engine/metadata/inode_table.h"
#include "engine/metadata/recipe_table.h"
#include "engine/metadata/transaction_queue.h"
#include "engine/net/loop_pool.h"
#include "engine/os/file.h"
#include "engine/store_cache.h"
#include "engine/store_config.h"
#include "engine/store_folder.h"
#include "engine/vstorage/file_data_table.h"
#include "engine/vstorage/savings_accountant.h"
#include "engine/vstorage/space_guard.h"
#include "engine/vstorage/store_health.h"
#include "engine/vstorage/store_usage.h"
#include "engine/vstorage/vm_catalog.h"
#include "engine/vstorage/vm_reports.h"
#include "engine/vstorage/vstorage_table.h"

namespace quarry {

class Store {
 public:
  struct Surroundings {
    std::string path;
    net::LoopPool& loops;
    asio::thread_pool& workers;
    StatRegistry& registry;
    const Clock& clock;
    uint64_t landingFilesMax = FileDataTable::openFilesMaxDefault;  // open at once
    StoreCache::Options cache;
  };
  // Opens the store at `path`, or makes one when the folder is new.
  static Result<std::unique_ptr<Store>> open(const Surroundings& surroundings);
  ~Store();

  // Waits for background work and makes the namespace durable.
  Result<void> close();

  const std::string& path() const { return m_path; }
  const StoreConfig& config() const { return m_folder->config(); }
  os::FileSystem& fileSystem() { return *m_fileSystem; }
  metadata::InodeTable& inodes() { return *m_inodes; }
  metadata::RecipeTable& recipes() { return *m_recipes; }
  blockstore::BlockStore& blocks() { return *m_blocks; }
  FileDataTable& files() { return *m_files; }
  StoreCache& cache() { return *m_cache; }
  SpaceGuard& space() { return *m_space; }
  StoreHealth& health() { return m_health; }
  StoreUsage& usage() { return *m_usage; }
  VmCatalog& vms() { return *m_vms; }
  VmReports& vmReports() { return *m_vmReports; }
  SavingsAccountant& savings() { return *m_savings; }
  VstorageTable& vstorages() { return *m_vstorages; }

 private:
  explicit Store(const Surroundings& surroundings);
  Result<void> openFolder();
  Result<void> openDatabases();
  Result<void> openBlocks(metadata::DatabaseMode mode);
  Result<void> buildDataPlane();
  std::string namesOfVms() const;

  const std::string m_path;
  net::LoopPool& m_loops;
  asio::thread_pool& m_workers;
  const Clock& m_clock;
  const uint64_t m_landingFilesMax;
  const StoreCache::Options m_cacheOptions;
  std::unique_ptr<os::FileSystem> m_fileSystem;
  std::unique_ptr<StoreFolder> m_folder;  // holds the lock
  StoreHealth m_health;
  IoStatRecorders m_recorders;
  std::unique_ptr<metadata::TransactionQueue> m_namespaceQueue;
  std::unique_ptr<metadata::TransactionQueue> m_blocksQueue;
  std::unique_ptr<metadata::InodeTable> m_inodes;
  std::unique_ptr<metadata::RecipeTable> m_recipes;
  std::unique_ptr<blockstore::BlockStore> m_blocks;
  std::unique_ptr<net::LoopPool> m_journalLoop;
  std::unique_ptr<StoreCache> m_cache;   // outlives the files
  std::unique_ptr<FileDataTable> m_files;
  std::unique_ptr<SpaceGuard> m_space;
  std::unique_ptr<StoreUsage> m_usage;
  std::unique_ptr<VmCatalog> m_vms;
  std::unique_ptr<SavingsAccountant> m_savings;
  std::unique_ptr<VmReports> m_vmReports;
  std::unique_ptr<VstorageTable> m_vstorages;
};

}  // namespace quarry
