// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/recipe_table.h"

#include <algorithm>
#include <asio/thread_pool.hpp>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/check.h"
#include "engine/metadata/hook_index.h"
#include "engine/metadata/reader_pool.h"
#include "engine/metadata/recipe_cache.h"
#include "engine/metadata/schema.h"
#include "engine/metadata/transaction_queue.h"

namespace quarry::metadata {

namespace {

constexpr size_t fetchThreads = 4;  // all wait for the disk, so they are not of the workers, which compute
static_assert(fetchThreads <= ReaderPool::connectionsMax);
constexpr uint64_t recipeCacheBytes = 32 * 1024 * 1024;

uint64_t blockCountOf(const Recipe& recipe) {
  uint64_t count = 0;
  for (const Extent& extent : recipe) count += extent.blockCount;
  return count;
}

Error nameSegment(Error error, FileId fileid, uint32_t segment) {
  error.message = "file " + std::to_string(fileid) + ", segment " + std::to_string(segment) + ": " + error.message;
  return error;
}

// What a change adds to and takes from a file's numbers, once it is durable.
struct StatsChange {
  int64_t blocks = 0, segments = 0;
};
using StatsChanges = std::unordered_map<FileId, StatsChange>;

// Blocks of the row before the change, nullopt when there is none.
Result<std::optional<int64_t>> storedBlockCount(Database& database, FileId fileid, uint32_t segment) {
  auto statement = database.prepare("SELECT block_count FROM recipes WHERE fileid = ? AND segment = ?");
  if (!statement) return fail(statement.error());
  auto row = statement->bind(fileid, segment).step();
  if (!row) return fail(row.error());
  if (!*row) return std::nullopt;
  return statement->integer(0);
}

// Writes or, when it is empty, removes the row.
Result<void> writeRecipe(Database& database, FileId fileid, uint32_t segment, const Recipe& recipe, StatsChanges& changes) {
  auto before = storedBlockCount(database, fileid, segment);
  if (!before) return fail(before.error());
  const auto after = static_cast<int64_t>(blockCountOf(recipe));
  StatsChange& change = changes[fileid];
  change.blocks += after - before->value_or(0);
  change.segments += (recipe.empty() ? 0 : 1) - (before->has_value() ? 1 : 0);
  if (recipe.empty()) return database.run("DELETE FROM recipes WHERE fileid = ? AND segment = ?", fileid, segment);
  const std::vector<std::byte> bytes = encodeRecipe(recipe);
  return database.run("INSERT OR REPLACE INTO recipes VALUES (?, ?, ?, ?)", fileid, segment, after, Bytes(bytes));
}

// Removes the segments from `segment` on.
Result<void> removeSegments(Database& database, FileId fileid, uint32_t segment, StatsChanges& changes) {
  {
    auto sums = database.prepare("SELECT count(*), ifnull(sum(block_count), 0) FROM recipes WHERE fileid = ? AND segment >= ?");
    if (!sums) return fail(sums.error());
    auto row = sums->bind(fileid, segment).step();
    if (!row) return fail(row.error());
    changes[fileid].segments -= sums->integer(0);
    changes[fileid].blocks -= sums->integer(1);
  }
  return database.run("DELETE FROM recipes WHERE fileid = ? AND segment >= ?", fileid, segment);
}

Result<std::shared_ptr<const Recipe>> readRecipe(Database& database, FileId fileid, uint32_t segment) {
  auto statement = database.prepare("SELECT recipe FROM recipes WHERE fileid = ? AND segment = ?");
  if (!statement) return fail(statement.error());
  auto row = statement->bind(fileid, segment).step();
  if (!row) return fail(row.error());
  if (!*row) return std::shared_ptr<const Recipe>();
  auto recipe = decodeRecipe(statement->blob(0));
  if (!recipe) return fail(nameSegment(recipe.error(), fileid, segment));
  return std::make_shared<const Recipe>(std::move(*recipe));
}

Recipe cutAt(const Recipe& recipe, uint32_t firstBlockGone) {
  Recipe kept;
  for (Extent extent : recipe) {
    if (extent.firstBlock >= firstBlockGone) break;
    extent.blockCount = std::min(extent.blockCount, firstBlockGone - extent.firstBlock);
    kept.push_back(extent);
  }
  return kept;
}

Result<void> writeContainers(Database& database, const std::vector<ContainerRow>& containers) {
  for (const ContainerRow& row : containers) {
    auto written = database.run("INSERT OR REPLACE INTO containers VALUES (?, ?, ?, ?, ?)", row.number, row.frameCount, row.blockCount,
                                row.fileBytes, row.rawBytes);
    if (!written) return written;
  }
  return {};
}

class StoredRecipeTable : public RecipeTable {
 public:
  StoredRecipeTable(const std::string& path, TransactionQueue& queue)
      : m_queue(queue), m_readers(path, blocksFormat()), m_fetchReaders(path, blocksFormat()) {}

  Result<void> start();

  Result<std::shared_ptr<const Recipe>> load(FileId fileid, uint32_t segment) override { return loadBy(m_readers, fileid, segment); }
  std::optional<std::shared_ptr<const Recipe>> cached(FileId fileid, uint32_t segment) override;
  Task<Result<std::shared_ptr<const Recipe>>> fetch(FileId fileid, uint32_t segment) override;
  Result<std::vector<std::pair<uint32_t, Recipe>>> loadAll(FileId fileid) override;
  RecipeStats stats(FileId fileid) const override;
  bool mayHaveRecipes(FileId fileid) const override;
  std::vector<FileId> files() const override;
  Task<Result<std::vector<bool>>> commit(BlockTransaction transaction) override;
  Task<Result<void>> truncate(FileId fileid, uint64_t firstBlockGone) override;
  Task<Result<void>> dropFiles(std::vector<FileId> fileids) override;
  Result<std::optional<PhysicalBlock>> findHook(const std::array<std::byte, 16>& fingerprint) override;
  std::vector<ContainerRow> containers() const override;
  ContainerNumber nextContainer() const override;

 private:
  // One commit() while it runs on the queue's thread.
  struct Commit {
    BlockTransaction transaction;
    std::vector<bool> written;
    StatsChanges changes;
  };
  static Result<void> commitNow(Database& database, Commit& commit);
  static Result<void> truncateNow(Database& database, FileId fileid, uint64_t firstBlockGone, StatsChanges& changes);
  Result<std::shared_ptr<const Recipe>> loadBy(ReaderPool& readers, FileId fileid, uint32_t segment);
  void committed(const Commit& commit);
  void applyStats(const StatsChanges& changes) REQUIRES(m_mutex);
  Result<void> loadStats(Database& database);
  Result<void> loadContainers(Database& database);

  TransactionQueue& m_queue;
  ReaderPool m_readers, m_fetchReaders;
  RecipeCache m_cache{recipeCacheBytes};
  mutable Mutex m_mutex;
  std::unordered_map<FileId, RecipeStats> m_stats GUARDED_BY(m_mutex);
  std::unordered_multiset<FileId> m_filesUnderway GUARDED_BY(m_mutex);  // whose recipes a transaction is writing
  std::map<ContainerNumber, ContainerRow> m_containers GUARDED_BY(m_mutex);
  asio::thread_pool m_fetchers{fetchThreads};  // last: its threads use all of the above
};

Result<void> StoredRecipeTable::start() {
  auto reader = m_readers.borrow();
  if (!reader) return fail(reader.error());
  if (auto loaded = loadStats(**reader); !loaded) return loaded;
  return loadContainers(**reader);
}

Result<void> StoredRecipeTable::loadStats(Database& database) {
  // The index alone: the table's own pages carry the recipes, some hundred times as much.
  auto rows = database.prepare("SELECT fileid, count(*), sum(block_count) FROM recipes INDEXED BY recipes_blocks GROUP BY fileid");
  if (!rows) return fail(rows.error());
  const Lock lock(m_mutex);
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    m_stats[rows->unsignedInteger(0)] = {.referencedBlocks = rows->unsignedInteger(2), .segmentCount = rows->unsignedInteger(1)};
  }
}

Result<void> StoredRecipeTable::loadContainers(Database& database) {
  auto rows = database.prepare("SELECT number, frame_count, block_count, file_bytes, raw_bytes FROM containers");
  if (!rows) return fail(rows.error());
  const Lock lock(m_mutex);
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    const ContainerRow container{rows->unsignedInteger(0), static_cast<uint32_t>(rows->integer(1)), static_cast<uint32_t>(rows->integer(2)),
                                 rows->unsignedInteger(3), rows->unsignedInteger(4)};
    m_containers[container.number] = container;
  }
}

std::optional<std::shared_ptr<const Recipe>> StoredRecipeTable::cached(FileId fileid, uint32_t segment) {
  if (stats(fileid).segmentCount == 0) return std::shared_ptr<const Recipe>();
  return m_cache.find({fileid, segment});
}

Task<Result<std::shared_ptr<const Recipe>>> StoredRecipeTable::fetch(FileId fileid, uint32_t segment) {
  auto read = [this, fileid, segment] { return loadBy(m_fetchReaders, fileid, segment); };
  co_return co_await onPool(m_fetchers, read);
}

// The epoch comes before everything that is looked at: what changed since is not put into the cache.
Result<std::shared_ptr<const Recipe>> StoredRecipeTable::loadBy(ReaderPool& readers, FileId fileid, uint32_t segment) {
  const uint64_t epoch = m_cache.epoch();
  if (auto known = cached(fileid, segment)) return *known;
  auto reader = readers.borrow();
  if (!reader) return fail(reader.error());
  auto recipe = readRecipe(**reader, fileid, segment);
  if (recipe) m_cache.put({fileid, segment}, *recipe, epoch);
  return recipe;
}

Result<std::vector<std::pair<uint32_t, Recipe>>> StoredRecipeTable::loadAll(FileId fileid) {
  auto reader = m_readers.borrow();
  if (!reader) return fail(reader.error());
  auto rows = (**reader).prepare("SELECT segment, recipe FROM recipes WHERE fileid = ? ORDER BY segment");
  if (!rows) return fail(rows.error());
  rows->bind(fileid);
  std::vector<std::pair<uint32_t, Recipe>> recipes;
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return recipes;
    const auto segment = static_cast<uint32_t>(rows->integer(0));
    auto recipe = decodeRecipe(rows->blob(1));
    if (!recipe) return fail(nameSegment(recipe.error(), fileid, segment));
    recipes.emplace_back(segment, std::move(*recipe));
  }
}

RecipeStats StoredRecipeTable::stats(FileId fileid) const {
  const Lock lock(m_mutex);
  const auto found = m_stats.find(fileid);
  return found == m_stats.end() ? RecipeStats{} : found->second;
}

bool StoredRecipeTable::mayHaveRecipes(FileId fileid) const {
  const Lock lock(m_mutex);
  return m_stats.contains(fileid) || m_filesUnderway.contains(fileid);
}

std::vector<FileId> StoredRecipeTable::files() const {
  const Lock lock(m_mutex);
  std::vector<FileId> files;
  for (const auto& [fileid, stats] : m_stats) files.push_back(fileid);
  return files;
}

Task<Result<std::vector<bool>>> StoredRecipeTable::commit(BlockTransaction transaction) {
  auto state = std::make_shared<Commit>();
  state->transaction = std::move(transaction);
  TransactionQueue::Work work = [state](Database& database) { return commitNow(database, *state); };
  std::function<void()> onDurable = [this, state] { committed(*state); };
  {
    const Lock lock(m_mutex);
    for (const RecipeChange& change : state->transaction.recipes) m_filesUnderway.insert(change.fileid);
  }
  auto submitted = co_await m_queue.submit(std::move(work), std::move(onDurable));
  {
    const Lock lock(m_mutex);
    for (const RecipeChange& change : state->transaction.recipes) m_filesUnderway.erase(m_filesUnderway.find(change.fileid));
  }
  if (!submitted) co_return fail(submitted.error());
  co_return std::move(state->written);
}

Result<void> StoredRecipeTable::commitNow(Database& database, Commit& commit) {
  const BlockTransaction& transaction = commit.transaction;
  if (auto written = writeContainers(database, transaction.containers); !written) return written;
  if (auto inserted = hook_index::insert(database, transaction.hooks); !inserted) return inserted;
  for (const RecipeChange& change : transaction.recipes) {
    const bool isValid = !change.stillValid || change.stillValid();
    commit.written.push_back(isValid);
    if (!isValid) continue;
    if (auto written = writeRecipe(database, change.fileid, change.segment, change.recipe, commit.changes); !written) return written;
  }
  return {};
}

void StoredRecipeTable::committed(const Commit& commit) {
  std::vector<RecipeCache::Key> keys;
  for (const RecipeChange& change : commit.transaction.recipes) keys.emplace_back(change.fileid, change.segment);
  {
    const Lock lock(m_mutex);
    applyStats(commit.changes);
    for (const ContainerRow& row : commit.transaction.containers) m_containers[row.number] = row;
  }
  m_cache.drop(keys);
}

void StoredRecipeTable::applyStats(const StatsChanges& changes) {
  for (const auto& [fileid, change] : changes) {
    RecipeStats& stats = m_stats[fileid];
    stats.referencedBlocks += static_cast<uint64_t>(change.blocks);
    stats.segmentCount += static_cast<uint64_t>(change.segments);
    if (stats.segmentCount == 0) m_stats.erase(fileid);
  }
}

Task<Result<void>> StoredRecipeTable::truncate(FileId fileid, uint64_t firstBlockGone) {
  auto changes = std::make_shared<StatsChanges>();
  TransactionQueue::Work work = [=](Database& database) { return truncateNow(database, fileid, firstBlockGone, *changes); };
  const uint64_t segment = firstBlockGone / segmentBlocks;
  return m_queue.submit(std::move(work), [=, this] {
    {
      const Lock lock(m_mutex);
      applyStats(*changes);
    }
    m_cache.dropFrom(fileid, static_cast<uint32_t>(std::min<uint64_t>(segment, UINT32_MAX)));
  });
}

Result<void> StoredRecipeTable::truncateNow(Database& database, FileId fileid, uint64_t firstBlockGone, StatsChanges& changes) {
  uint64_t segment = firstBlockGone / segmentBlocks;
  if (segment > UINT32_MAX) return {};
  if (const auto inside = static_cast<uint32_t>(firstBlockGone % segmentBlocks); inside > 0) {
    const auto cut = static_cast<uint32_t>(segment);
    auto recipe = readRecipe(database, fileid, cut);
    if (!recipe) return fail(recipe.error());
    if (*recipe) {
      const Recipe kept = cutAt(**recipe, inside);
      const Result<void> written = kept == **recipe ? Result<void>() : writeRecipe(database, fileid, cut, kept, changes);
      if (!written) return written;
    }
    ++segment;
  }
  if (segment > UINT32_MAX) return {};
  return removeSegments(database, fileid, static_cast<uint32_t>(segment), changes);
}

Task<Result<void>> StoredRecipeTable::dropFiles(std::vector<FileId> fileids) {
  auto changes = std::make_shared<StatsChanges>();
  auto files = std::make_shared<const std::vector<FileId>>(std::move(fileids));
  TransactionQueue::Work work = [=](Database& database) -> Result<void> {
    for (const FileId fileid : *files) {
      if (auto removed = removeSegments(database, fileid, 0, *changes); !removed) return removed;
    }
    return {};
  };
  return m_queue.submit(std::move(work), [=, this] {
    {
      const Lock lock(m_mutex);
      applyStats(*changes);
    }
    for (const FileId fileid : *files)
      if (changes->at(fileid).segments != 0) m_cache.dropFrom(fileid, 0);
  });
}

Result<std::optional<PhysicalBlock>> StoredRecipeTable::findHook(const std::array<std::byte, 16>& fingerprint) {
  auto reader = m_readers.borrow();
  if (!reader) return fail(reader.error());
  return hook_index::find(**reader, fingerprint);
}

std::vector<ContainerRow> StoredRecipeTable::containers() const {
  const Lock lock(m_mutex);
  std::vector<ContainerRow> rows;
  for (const auto& [number, row] : m_containers) rows.push_back(row);
  return rows;
}

ContainerNumber StoredRecipeTable::nextContainer() const {
  const Lock lock(m_mutex);
  return m_containers.empty() ? 1 : m_containers.rbegin()->first + 1;
}

}  // namespace

Result<std::unique_ptr<RecipeTable>> RecipeTable::open(const std::string& databasePath, TransactionQueue& queue) {
  auto table = std::make_unique<StoredRecipeTable>(databasePath, queue);
  if (auto started = table->start(); !started) return fail(started.error());
  return table;
}

}  // namespace quarry::metadata
