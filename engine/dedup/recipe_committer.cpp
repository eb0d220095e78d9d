// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dedup/recipe_committer.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace quarry::dedup {

void RecipeCommitter::addSealed(std::vector<blockstore::SealedContainer> sealed) {
  for (const auto& container : sealed) m_monitor.add(Counter::StoredBytes, container.row.fileBytes);
  std::ranges::move(sealed, std::back_inserter(m_sealed));
}

size_t RecipeCommitter::readyCount(metadata::ContainerNumber sealedThrough) const {
  return static_cast<size_t>(std::ranges::count_if(m_pending, [&](const auto& pending) { return pending.newestContainer <= sealedThrough; }));
}

std::vector<PendingRecipe> RecipeCommitter::takeBatch(metadata::ContainerNumber sealedThrough) {
  std::vector<PendingRecipe> batch;
  size_t kept = 0;
  for (size_t i = 0; i < m_pending.size(); ++i) {
    const bool ready = m_pending[i].newestContainer <= sealedThrough && batch.size() < batchMax;
    if (ready) batch.push_back(std::move(m_pending[i]));
    else if (kept++ != i) m_pending[kept - 1] = std::move(m_pending[i]);
  }
  m_pending.resize(kept);
  return batch;
}

// A container that no recipe waits for (all were skipped) is still made known, so that garbage collection finds it.
Task<Result<void>> RecipeCommitter::commit(metadata::ContainerNumber sealedThrough) {
  while (true) {
    if (m_error) co_return fail(*m_error);
    if (const auto writable = m_source.checkWritable(); !writable) co_return writable;
    std::vector<PendingRecipe> batch = takeBatch(sealedThrough);
    if (batch.empty() && m_sealed.empty()) co_return Result<void>{};
    auto committed = co_await commitBatch(std::move(batch));
    if (!committed) co_return committed;
  }
}

Task<Result<void>> RecipeCommitter::commitBatch(std::vector<PendingRecipe> batch) {
  metadata::BlockTransaction transaction;
  for (auto& container : m_sealed) {
    transaction.containers.push_back(container.row);
    std::ranges::move(container.hooks, std::back_inserter(transaction.hooks));
  }
  m_sealed.clear();
  for (PendingRecipe& pending : batch) {
    auto stillValid = [source = &m_source, fileid = pending.file->source.fileid, counter = pending.truncateCounter] {
      return source->truncateCounter(fileid) == counter;
    };
    transaction.recipes.push_back({.fileid = pending.file->source.fileid, .segment = pending.segment, .recipe = std::move(pending.recipe),
                                   .stillValid = std::move(stillValid)});
  }
  const auto written = co_await m_recipes.commit(std::move(transaction));
  if (!written) {
    m_error = written.error();
    co_return fail(*m_error);
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if ((*written)[i]) {
      co_await punch(batch[i]);
    } else {
      m_monitor.add(Counter::SegmentsSkipped, 1);
      m_monitor.note(batch[i].file->source.path + ": shortened or removed while it was optimized");
    }
  }
  co_return Result<void>{};
}

Task<void> RecipeCommitter::punch(const PendingRecipe& pending) {
  if (!m_source.checkWritable()) co_return;
  const auto freed = co_await pending.file->data->punchIfUnchanged(pending.segment, pending.writeCounter);
  if (freed) m_monitor.add(Counter::FreedBytes, *freed);
  else m_monitor.problem(fmt::format("{}: landing space not given back: {}", pending.file->source.path, freed.error().message));
}

}  // namespace quarry::dedup
