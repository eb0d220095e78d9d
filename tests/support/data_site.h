// SPDX-License-Identifier: GPL-3.0-or-later
// One store's data path for tests: a simulated disk, recipes and a block store in RAM, StoredFile objects on top, and an optimize step such
// as the job's. restart() throws away what the engine knows in RAM.
#pragma once

#include <asio/thread_pool.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/vstorage/stored_file.h"
#include "tests/support/fake_recipe_table.h"
#include "tests/support/manual_clock.h"
#include "tests/support/sim_file.h"

namespace quarry::test {

// FakeRecipeTable with the parts that the data path needs.
class RamRecipes : public FakeRecipeTable {
 public:
  metadata::RecipeStats stats(metadata::FileId fileid) const override {
    metadata::RecipeStats stats;
    for (const auto& [key, recipe] : recipes()) {
      if (key.first != fileid) continue;
      ++stats.segmentCount;
      for (const auto& extent : recipe) stats.referencedBlocks += extent.blockCount;
    }
    return stats;
  }
  Result<std::vector<std::pair<uint32_t, metadata::Recipe>>> loadAll(metadata::FileId fileid) override {
    std::function<void()> told;
    {
      Lock lock(m_mutex);
      told = m_onLoadAll;
    }
    if (told) told();
    return FakeRecipeTable::loadAll(fileid);
  }
  void setOnLoadAll(std::function<void()> onLoadAll) {
    Lock lock(m_mutex);
    m_onLoadAll = std::move(onLoadAll);
  }
  std::vector<metadata::FileId> files() const override {
    std::vector<metadata::FileId> files;
    for (const auto& [key, recipe] : recipes())
      if (files.empty() || files.back() != key.first) files.push_back(key.first);
    return files;
  }
  // Containers that a test does not describe are made up: only savings look at them.
  Task<Result<std::vector<bool>>> commit(metadata::BlockTransaction transaction) override {
    std::set<metadata::ContainerNumber> known;
    for (const auto& row : containers()) known.insert(row.number);
    for (const auto& row : transaction.containers) known.insert(row.number);
    for (const auto& change : transaction.recipes)
      for (const auto& extent : change.recipe)
        for (const auto block : {extent.firstPhysical, extent.firstPhysical + extent.blockCount - 1})
          if (const auto number = metadata::containerOf(block); known.insert(number).second) transaction.containers.push_back({number, 0, 0, 0, 0});
    co_return co_await FakeRecipeTable::commit(std::move(transaction));
  }
  Task<Result<void>> truncate(metadata::FileId fileid, uint64_t firstBlockGone) override {
    metadata::BlockTransaction transaction;
    for (auto& [key, recipe] : recipes()) {
      if (key.first != fileid || (key.second + 1) * segmentBlocks <= firstBlockGone) continue;
      metadata::Recipe kept;
      for (metadata::Extent extent : recipe) {
        const uint64_t start = key.second * segmentBlocks + extent.firstBlock;
        if (start >= firstBlockGone) continue;
        extent.blockCount = static_cast<uint32_t>(std::min<uint64_t>(extent.blockCount, firstBlockGone - start));
        kept.push_back(extent);
      }
      transaction.recipes.push_back({fileid, key.second, std::move(kept), {}});
    }
    const auto committed = co_await commit(std::move(transaction));
    if (!committed) co_return fail(committed.error());
    co_return Result<void>{};
  }

 private:
  Mutex m_mutex;
  std::function<void()> m_onLoadAll GUARDED_BY(m_mutex);
};

class RamBlockStore : public blockstore::BlockStore {
 public:
  Task<Result<void>> read(std::vector<blockstore::BlockRead> reads) override {
    for (const auto& read : reads) {
      co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
      Lock lock(m_mutex);
      for (uint32_t i = 0; i < read.count; ++i) {
        const auto found = m_blocks.find(read.first + i);
        if (found == m_blocks.end()) co_return fail(ErrorCode::Lost, "no such block");
        std::memcpy(read.into.data() + i * blockBytes, found->second.data(), blockBytes);
      }
    }
    co_return Result<void>{};
  }
  const blockstore::StoreKey& key() const override { return m_key; }

  metadata::PhysicalBlock put(Bytes block) {
    Lock lock(m_mutex);
    m_blocks[m_next].assign(block.begin(), block.end());
    return m_next++;
  }

 private:
  Mutex m_mutex;
  std::map<metadata::PhysicalBlock, std::vector<std::byte>> m_blocks GUARDED_BY(m_mutex);
  metadata::PhysicalBlock m_next GUARDED_BY(m_mutex) = metadata::containerBlocks;
  const blockstore::StoreKey m_key{};
};

class DataSite {
 public:
  explicit DataSite(SimDisk::Yield yield = SimDisk::Yield::PerBlock) : disk(yield) { restart(); }

  void restart() {
    m_file.reset();
    m_shared.reset();
    caches = std::make_unique<cache::Caches>(16 << 20, clock);
    m_folder = std::make_unique<LandingFile::Folder>(disk, "landing", workers);
    m_shared = std::make_unique<StoredFile::Shared>(*m_folder, recipes, blocks, *caches, clock, [this](const Error&) { ++syncFailures; },
                                                    [this](metadata::FileId) {
                                                      return std::optional(StoredFile::Shared::Facts{size, modified});
                                                    },
                                                    &DataSite::persistNothing);
    m_file = std::make_shared<StoredFile>(*m_shared, fileid, caches->write().account(1));
  }
  StoredFile& file() { return *m_file; }

  // What the job does with one segment: new blocks, one transaction, punch. False: something wrote meanwhile.
  Task<bool> optimize(uint32_t segment) {
    const auto view = co_await file().view(segment);
    if (!view || view->landed.none()) co_return false;
    metadata::Recipe recipe;
    const auto old = recipes.load(fileid, segment);
    AlignedBuffer block(blockBytes);
    for (uint32_t number = 0; number < segmentBlocks; ++number) {
      if (view->landed[number]) {
        const auto read = co_await file().readLanded(segment, number, block.bytes());
        if (!read) co_return false;
        if (!isZero(block.bytes())) recipe.push_back({number, 1, blocks.put(block.bytes())});
      } else if (old && *old) {
        if (const auto physical = metadata::physicalBlock(**old, number)) recipe.push_back({number, 1, *physical});
      }
    }
    metadata::BlockTransaction transaction;
    transaction.recipes.push_back({fileid, segment, std::move(recipe), [this, counter = truncateCounter.load()] { return truncateCounter == counter; }});
    const auto committed = co_await recipes.commit(std::move(transaction));
    if (!committed) co_return false;
    const auto freed = co_await file().punchIfUnchanged(segment, view->writeCounter);
    co_return freed && *freed > 0;
  }

  static Task<Result<void>> persistNothing(metadata::FileId) { co_return Result<void>(); }

  static constexpr metadata::FileId fileid = 0x1234;
  SimDisk disk;
  RamRecipes recipes;
  RamBlockStore blocks;
  ManualClock clock;
  std::unique_ptr<cache::Caches> caches;
  asio::thread_pool workers{2};
  std::atomic<int> syncFailures = 0;
  std::atomic<uint64_t> size = 0, truncateCounter = 0;
  Timestamp modified;

 private:
  std::unique_ptr<LandingFile::Folder> m_folder;
  std::unique_ptr<StoredFile::Shared> m_shared;
  std::shared_ptr<StoredFile> m_file;
};

}  // namespace quarry::test
