// SPDX-License-Identifier: GPL-3.0-or-later
// The writing half of optimize, in the crash-safe order: recipes wait until every container they name is durable, are then written
// in transactions of at most 64 together with those containers and their hooks, and only after that is landing space given back.
// A crash at any point costs space (an orphan container, a hole not punched), never data.
//
// Threads: one job's coroutine. Failure: an error of the database is final: the containers of the failed transaction are unknown to it, so no
// later recipe may name them. A hole that cannot be punched is noted. In a store that turned read-only nothing more is committed or punched.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_writer.h"
#include "engine/dedup/file_source.h"
#include "engine/dedup/job_monitor.h"
#include "engine/dedup/segment_loader.h"
#include "engine/metadata/recipe_table.h"

namespace quarry::dedup {

struct PendingRecipe {
  std::shared_ptr<const OpenFile> file;
  uint32_t segment = 0;
  metadata::Recipe recipe;
  metadata::ContainerNumber newestContainer = 0;
  uint64_t truncateCounter = 0, writeCounter = 0;  // when the segment was read
};

class RecipeCommitter {
 public:
  static constexpr size_t batchMax = 64;

  RecipeCommitter(FileSource& source, metadata::RecipeTable& recipes, JobMonitor& monitor)
      : m_source(source), m_recipes(recipes), m_monitor(monitor) {}

  void add(PendingRecipe pending) { m_pending.push_back(std::move(pending)); }
  void addSealed(std::vector<blockstore::SealedContainer> sealed);

  size_t pendingCount() const { return m_pending.size(); }
  size_t readyCount(metadata::ContainerNumber sealedThrough) const;
  // Commits what is ready; what names a container after `sealedThrough` goes on waiting.
  Task<Result<void>> commit(metadata::ContainerNumber sealedThrough);

 private:
  std::vector<PendingRecipe> takeBatch(metadata::ContainerNumber sealedThrough);
  Task<Result<void>> commitBatch(std::vector<PendingRecipe> batch);
  Task<void> punch(const PendingRecipe& pending);

  FileSource& m_source;
  metadata::RecipeTable& m_recipes;
  JobMonitor& m_monitor;
  std::vector<PendingRecipe> m_pending;
  std::vector<blockstore::SealedContainer> m_sealed;  // not in the database yet
  std::optional<Error> m_error;
};

}  // namespace quarry::dedup
