// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store.h"

#include <openssl/rand.h>

#include "engine/base/log.h"
#include "engine/metadata/schema.h"
#include "engine/wait_for.h"

namespace quarry {

Store::Store(const Surroundings& surroundings)
    : m_path(surroundings.path), m_loops(surroundings.loops), m_workers(surroundings.workers), m_clock(surroundings.clock),
      m_landingFilesMax(surroundings.landingFilesMax),
      m_cacheOptions(surroundings.cache), m_fileSystem(os::makePosixFileSystem()), m_recorders(surroundings.registry) {}

Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const Surroundings& surroundings) {
  std::unique_ptr<Store> store(new Store(surroundings));
  for (const auto step : {&Store::openFolder, &Store::openDatabases, &Store::buildDataPlane})
    if (auto done = ((*store).*step)(); !done) return fail(done.error());
  return store;
}

Result<void> Store::openFolder() {
  auto folder = StoreFolder::open(*m_fileSystem, m_path);
  if (!folder) return fail(folder.error());
  m_folder = std::make_unique<StoreFolder>(std::move(*folder));
  return {};
}

// A new store's quarry.json comes last: without it the folder is no store, and nothing in it is taken for data.
Result<void> Store::openDatabases() {
  const auto mode = m_folder->isNew() ? metadata::DatabaseMode::Create : metadata::DatabaseMode::MustExist;
  auto database = metadata::openNamespaceDatabase(m_path + "/namespace.db", mode);
  if (!database) return fail(database.error());
  m_namespaceQueue = std::make_unique<metadata::TransactionQueue>(std::move(*database), "namespace");
  m_namespaceQueue->setOnBroken([this](const Error& error) { m_health.turnReadOnly(error.message); });
  auto inodes = metadata::InodeTable::load(*m_namespaceQueue, m_clock);
  if (!inodes) return fail(inodes.error());
  m_inodes = std::move(*inodes);

  if (auto opened = openBlocks(mode); !opened) {
    const std::string names = namesOfVms();
    return fail(opened.error().code, opened.error().message + (names.empty() ? "" : ". Without it the optimized data of these cannot be read: " + names) +
                                         ". Put the file back from a backup; nothing in the store was changed");
  }
  if (!m_folder->isNew()) return {};
  if (auto finished = m_folder->finishCreation(m_clock); !finished) return finished;
  log("engine").info("made a new store in {}", m_path);
  return {};
}

Result<void> Store::openBlocks(metadata::DatabaseMode mode) {
  const std::string path = m_path + "/blocks.db";
  auto database = metadata::openBlocksDatabase(path, mode);
  if (!database) return fail(database.error());
  m_blocksQueue = std::make_unique<metadata::TransactionQueue>(std::move(*database), "blocks");
  m_blocksQueue->setOnBroken([this](const Error& error) { m_health.turnReadOnly(error.message); });
  auto recipes = metadata::RecipeTable::open(path, *m_blocksQueue);
  if (!recipes) return fail(recipes.error());
  m_recipes = std::move(*recipes);
  return {};
}

// Top-level folders by vstorage, for messages about a store that cannot be opened.
std::string Store::namesOfVms() const {
  constexpr size_t namesMax = 12;
  std::string names;
  size_t count = 0;
  for (const auto& vstorage : m_inodes->vstorages()) {
    const auto entries = m_inodes->list(vstorage.root, 0, namesMax + 1);
    if (!entries) continue;
    for (const auto& entry : *entries) {
      if (++count <= namesMax) names += (names.empty() ? "" : ", ") + vstorage.name + "/" + entry.name;
    }
  }
  return count > namesMax ? names + ", …" : names;
}

Result<void> Store::buildDataPlane() {
  uint64_t writeVerifier = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&writeVerifier), sizeof writeVerifier) != 1)
    return fail(ErrorCode::Internal, "the system gives no random numbers");
  m_blocks = blockstore::BlockStore::open(*m_fileSystem, m_path + "/containers", *m_recipes, m_folder->config().key, m_workers);
  m_journalLoop = std::make_unique<net::LoopPool>(1, "journal");
  auto cache = StoreCache::make({.fileSystem = *m_fileSystem, .storePath = m_path, .executor = m_loops.loop(0).get_executor(),
                                 .journalExecutor = m_journalLoop->loop(0).get_executor(), .clock = m_clock,
                                 .health = m_health, .options = m_cacheOptions});
  if (!cache) return fail(cache.error());
  m_cache = std::move(*cache);
  m_files = std::make_unique<FileDataTable>(FileDataTable::Parts{
      .fileSystem = *m_fileSystem,
      .landingFolder = m_path + "/landing",
      .inodes = *m_inodes,
      .recipes = *m_recipes,
      .blocks = *m_blocks,
      .caches = m_cache->caches(),
      .workers = m_workers,
      .loop = m_loops.loop(0).get_executor(),
      .clock = m_clock,
      .onSyncFailed = [this](const Error& error) { m_health.turnReadOnly(error.message); },
      .onDamage = [this](const Error& error) { m_health.noteDamage(error); },
      .openFilesMax = m_landingFilesMax,
  });
  if (auto kept = waitFor(m_loops.loop(0).get_executor(), m_files->keepUnknownData()); !kept) return fail(kept.error());
  // The replay before everything that looks at sizes or drops what lies beyond them.
  if (auto replayed = waitFor(m_loops.loop(0).get_executor(), m_cache->openJournal(*m_files, *m_inodes)); !replayed) return replayed;
  waitFor(m_loops.loop(0).get_executor(), m_files->recover());
  m_space = std::make_unique<SpaceGuard>(*m_fileSystem, m_path, m_clock, m_files->shared().landedBlocksNew,
                                         &m_cache->caches().write().engineAccount().dirtyBlocks);
  m_usage = std::make_unique<StoreUsage>(*m_fileSystem, m_path, m_workers, m_clock);
  m_vms = std::make_unique<VmCatalog>(*m_inodes, *m_files, m_recorders);
  m_savings = std::make_unique<SavingsAccountant>(*m_inodes, *m_recipes, *m_files, m_clock);
  m_vmReports = std::make_unique<VmReports>(*m_vms, *m_savings, *m_inodes);
  auto vstorages = VstorageTable::load({.inodes = *m_inodes,
                                        .files = *m_files,
                                        .caches = m_cache->caches(),
                                        .destager = m_cache->destager(),
                                        .space = *m_space,
                                        .health = m_health,
                                        .vms = *m_vms,
                                        .savings = *m_savings,
                                        .recorders = m_recorders,
                                        .clock = m_clock,
                                        .writeVerifier = writeVerifier});
  if (!vstorages) return fail(vstorages.error());
  m_vstorages = std::move(*vstorages);
  m_files->startOrphanSweep();
  m_cache->start();
  return {};
}

Result<void> Store::close() {
  m_savings->stop();
  waitFor(m_loops.loop(0).get_executor(), m_files->drain());
  m_cache->stop();
  const auto flushed = waitFor(m_loops.loop(0).get_executor(), m_cache->close());
  const auto persisted = waitFor(m_loops.loop(0).get_executor(), m_inodes->persistAll());
  return flushed ? persisted : flushed;
}

}  // namespace quarry
