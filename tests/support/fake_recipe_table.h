// SPDX-License-Identifier: GPL-3.0-or-later
// A RecipeTable in RAM: every commit is durable at once and whole. failCommitsFrom() makes the n-th commit and all later ones fail, as a
// full disk does. Safe from any thread.
#pragma once

#include <algorithm>
#include <asio/post.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/mutex.h"
#include "engine/metadata/recipe_table.h"

namespace quarry::test {

class FakeRecipeTable : public metadata::RecipeTable {
 public:
  using Key = std::pair<metadata::FileId, uint32_t>;

  Result<std::shared_ptr<const metadata::Recipe>> load(metadata::FileId fileid, uint32_t segment) override {
    Lock lock(m_mutex);
    if (m_damaged == Key{fileid, segment}) return fail(ErrorCode::Corrupt, "recipe is damaged");
    const auto found = m_recipes.find({fileid, segment});
    if (found == m_recipes.end()) return std::shared_ptr<const metadata::Recipe>();
    return std::make_shared<const metadata::Recipe>(found->second);
  }
  // As if the cache were empty: everything takes the way to the disk, on the caller's executor.
  std::optional<std::shared_ptr<const metadata::Recipe>> cached(metadata::FileId fileid, uint32_t) override {
    if (stats(fileid).segmentCount == 0) return std::shared_ptr<const metadata::Recipe>();
    return std::nullopt;
  }
  Task<Result<std::shared_ptr<const metadata::Recipe>>> fetch(metadata::FileId fileid, uint32_t segment) override {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    co_return load(fileid, segment);
  }
  Result<std::vector<std::pair<uint32_t, metadata::Recipe>>> loadAll(metadata::FileId fileid) override {
    Lock lock(m_mutex);
    std::vector<std::pair<uint32_t, metadata::Recipe>> all;
    for (const auto& [key, recipe] : m_recipes)
      if (key.first == fileid) all.emplace_back(key.second, recipe);
    return all;
  }
  metadata::RecipeStats stats(metadata::FileId) const override { return {}; }
  bool mayHaveRecipes(metadata::FileId fileid) const override { return stats(fileid).segmentCount > 0; }
  std::vector<metadata::FileId> files() const override { return {}; }

  Task<Result<std::vector<bool>>> commit(metadata::BlockTransaction transaction) override {
    std::vector<bool> written;
    Lock lock(m_mutex);
    ++m_commits;
    if (m_failFrom && m_commits >= *m_failFrom) co_return fail(ErrorCode::NoSpace, "simulated: blocks.db is full");
    for (const auto& row : transaction.containers) m_containers.push_back(row);
    for (const auto& hook : transaction.hooks) m_hooks[hook.fingerprint] = hook.block;
    for (auto& change : transaction.recipes) {
      for (const auto& extent : change.recipe) {
        QUARRY_CHECK(isKnown(metadata::containerOf(extent.firstPhysical)));
        QUARRY_CHECK(isKnown(metadata::containerOf(extent.firstPhysical + extent.blockCount - 1)));  // an extent may go on in the next one
      }
      written.push_back(!change.stillValid || change.stillValid());
      if (!written.back()) continue;
      if (change.recipe.empty()) m_recipes.erase({change.fileid, change.segment});
      else m_recipes[{change.fileid, change.segment}] = std::move(change.recipe);
    }
    co_return written;
  }
  Task<Result<void>> truncate(metadata::FileId, uint64_t) override { co_return Result<void>{}; }
  Task<Result<void>> dropFiles(std::vector<metadata::FileId> fileids) override {
    Lock lock(m_mutex);
    std::erase_if(m_recipes, [&](const auto& entry) { return std::ranges::count(fileids, entry.first.first) > 0; });
    co_return Result<void>{};
  }

  Result<std::optional<metadata::PhysicalBlock>> findHook(const std::array<std::byte, 16>& fingerprint) override {
    Lock lock(m_mutex);
    ++m_hookLookups;
    const auto found = m_hooks.find(fingerprint);
    return found == m_hooks.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<metadata::ContainerRow> containers() const override {
    Lock lock(m_mutex);
    return m_containers;
  }
  metadata::ContainerNumber nextContainer() const override {
    Lock lock(m_mutex);
    metadata::ContainerNumber next = 1;
    for (const auto& row : m_containers) next = std::max(next, row.number + 1);
    return next;
  }

  // The n-th commit from now (1: the next); nullopt: none fails.
  void failCommitsFrom(std::optional<uint64_t> commit) {
    Lock lock(m_mutex);
    m_failFrom = commit ? std::optional(m_commits + *commit) : std::nullopt;
  }
  void damage(metadata::FileId fileid, uint32_t segment) {
    Lock lock(m_mutex);
    m_damaged = {fileid, segment};
  }
  uint64_t commits() const {
    Lock lock(m_mutex);
    return m_commits;
  }
  uint64_t hookLookups() const {
    Lock lock(m_mutex);
    return m_hookLookups;
  }
  size_t hookCount() const {
    Lock lock(m_mutex);
    return m_hooks.size();
  }
  std::map<Key, metadata::Recipe> recipes() const {
    Lock lock(m_mutex);
    return m_recipes;
  }

 private:
  // A recipe that names a container before the table knows it breaks the order that keeps data safe.
  bool isKnown(metadata::ContainerNumber number) const REQUIRES(m_mutex) {
    return std::ranges::any_of(m_containers, [&](const auto& row) { return row.number == number; });
  }

  mutable Mutex m_mutex;
  std::map<Key, metadata::Recipe> m_recipes GUARDED_BY(m_mutex);
  std::map<std::array<std::byte, 16>, metadata::PhysicalBlock> m_hooks GUARDED_BY(m_mutex);
  std::vector<metadata::ContainerRow> m_containers GUARDED_BY(m_mutex);
  std::optional<uint64_t> m_failFrom GUARDED_BY(m_mutex);
  uint64_t m_commits GUARDED_BY(m_mutex) = 0, m_hookLookups GUARDED_BY(m_mutex) = 0;
  Key m_damaged GUARDED_BY(m_mutex){0, 0};
};

}  // namespace quarry::test
