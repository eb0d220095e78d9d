// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/dirty_blocks.h"

#include <algorithm>
#include <utility>

namespace quarry::cache {

namespace {
constexpr uint64_t regionBlocks = 256;      // of one MiB: what is written together is destaged together
constexpr uint64_t runBlocksMax = 256;
constexpr uint64_t scannedPerCallMax = 8192;  // the mutex is held that long
}  // namespace

size_t DirtyBlocks::find(uint64_t firstBlock, std::span<BlockRef> into) const {
  if (isEmpty()) return 0;
  size_t foundCount = 0;
  const Lock lock(m_mutex);
  for (auto at = m_blocks.lower_bound(firstBlock); at != m_blocks.end() && at->first < firstBlock + into.size(); ++at) {
    into[at->first - firstBlock] = at->second.data;
    ++foundCount;
  }
  return foundCount;
}

bool DirtyBlocks::contains(uint64_t block) const {
  if (isEmpty()) return false;
  const Lock lock(m_mutex);
  return m_blocks.contains(block);
}

// Each counter changes at most once: whoever reads it without the mutex must not find a block gone that is being replaced.
void DirtyBlocks::recount(const Dirty* before, const Dirty* after) {
  const auto change = [](std::atomic<uint64_t>& counter, bool was, bool is) {
    if (is && !was) counter.fetch_add(1, std::memory_order_relaxed);
    if (was && !is) counter.fetch_sub(1, std::memory_order_relaxed);
  };
  const bool wasUnprotected = before && before->promise == Promise::Unprotected, isUnprotected = after && after->promise == Promise::Unprotected;
  for (std::atomic<uint64_t>* counter : {&m_count, &m_totals.engine.dirtyBlocks, &m_account->dirtyBlocks}) change(*counter, before, after);
  for (std::atomic<uint64_t>* counter : {&m_totals.engine.unprotectedBlocks, &m_account->unprotectedBlocks}) change(*counter, wasUnprotected, isUnprotected);
  change(m_unjournaledCount, before && isUnjournaled(*before), after && isUnjournaled(*after));
  if (before && after && wasUnprotected == isUnprotected) return;  // a replaced block is as old as the first one
  const auto second = std::chrono::floor<std::chrono::seconds>((after ? after : before)->since.time_since_epoch());
  Counts& counts = m_since[second];
  counts.all = counts.all + (after ? 1 : 0) - (before ? 1 : 0);
  counts.unprotected = counts.unprotected + (isUnprotected ? 1 : 0) - (wasUnprotected ? 1 : 0);
  if (counts.all == 0) m_since.erase(second);
}

// The older version's journal entry stays needed until the new version is journaled or landed.
void DirtyBlocks::set(uint64_t block, Dirty dirty) {
  const auto [at, isNew] = m_blocks.try_emplace(block);
  Dirty& now = at->second;
  if (!isNew) {
    m_totals.engine.absorbedBlocks.fetch_add(1, std::memory_order_relaxed);
    m_account->absorbedBlocks.fetch_add(1, std::memory_order_relaxed);
    // Until the journal holds the new bytes, an older promise that RAM alone keeps is still open.
    dirty.since = now.since;
    if (dirty.sequence == 0) dirty.sequence = std::exchange(now.sequence, 0);
    if (now.sequence != 0) m_totals.needs.drop(now.sequence);
  }
  recount(isNew ? nullptr : &now, &dirty);
  now = std::move(dirty);
}

void DirtyBlocks::put(uint64_t firstBlock, std::vector<BlockRef> blocks, Promise promise, SteadyTime now, std::optional<uint64_t> replaySequence) {
  m_totals.engine.writtenBlocks.fetch_add(blocks.size(), std::memory_order_relaxed);
  m_account->writtenBlocks.fetch_add(blocks.size(), std::memory_order_relaxed);
  const Lock lock(m_mutex);
  for (uint64_t i = 0; i < blocks.size(); ++i) {
    if (replaySequence) m_totals.needs.need(*replaySequence);
    set(firstBlock + i, {.data = std::move(blocks[i]), .sequence = replaySequence.value_or(0), .promise = promise, .isJournaled = replaySequence.has_value(),
                         .since = now, .touched = now});
  }
}

bool DirtyBlocks::protect(uint64_t firstBlock, uint64_t count, uint64_t sequence) {
  const Lock lock(m_mutex);
  uint64_t foundCount = 0;
  for (auto at = m_blocks.lower_bound(firstBlock); at != m_blocks.end() && at->first < firstBlock + count; ++at, ++foundCount) {
    Dirty& dirty = at->second;
    m_totals.needs.need(sequence);
    if (dirty.sequence != 0) m_totals.needs.drop(dirty.sequence);
    if (isUnjournaled(dirty)) m_unjournaledCount.fetch_sub(1, std::memory_order_relaxed);
    dirty.sequence = sequence;
    dirty.isJournaled = true;
  }
  return foundCount == count;
}

DirtyBlocks::Blocks::iterator DirtyBlocks::forget(Blocks::iterator at) {
  recount(&at->second, nullptr);
  if (at->second.sequence != 0) m_totals.needs.drop(at->second.sequence);
  return m_blocks.erase(at);
}

void DirtyBlocks::drop(BlockRange range) {
  if (isEmpty()) return;
  const uint64_t end = range.count > toEnd - range.first ? toEnd : range.end();
  const Lock lock(m_mutex);
  for (auto at = m_blocks.lower_bound(range.first); at != m_blocks.end() && at->first < end;) at = forget(at);
}

void DirtyBlocks::dropReplayed(BlockRange range, uint64_t before) {
  const Lock lock(m_mutex);
  for (auto at = m_blocks.lower_bound(range.first); at != m_blocks.end() && at->first < range.end();)
    at = at->second.sequence < before ? forget(at) : std::next(at);
}

DirtyBlocks::Runs DirtyBlocks::runs(uint64_t from, const Selection& selection) const {
  Runs found;
  uint64_t scanned = 0;
  const Lock lock(m_mutex);
  auto at = m_blocks.lower_bound(from);
  while (at != m_blocks.end() && at->first < selection.endBlock && scanned < scannedPerCallMax) {
    const uint64_t regionEnd = std::min(alignDown(at->first, regionBlocks) + regionBlocks, selection.endBlock);
    bool isQuiet = true, isOld = false;
    auto end = at;
    for (; end != m_blocks.end() && end->first < regionEnd; ++end, ++scanned) {
      isQuiet &= end->second.touched < selection.touchedBefore;
      isOld |= end->second.since < selection.sinceBefore;
    }
    for (; at != end; ++at) {
      if (!(isQuiet || isOld) || (selection.unjournaledOnly && !isUnjournaled(at->second))) continue;
      const bool goesOn = !found.runs.empty() && found.runs.back().end() == at->first && found.runs.back().count < runBlocksMax;
      if (goesOn) ++found.runs.back().count;
      else found.runs.push_back({at->first, 1});
    }
    found.next = regionEnd;
  }
  found.isLast = at == m_blocks.end() || at->first >= selection.endBlock;
  return found;
}

DirtyBlocks::Run DirtyBlocks::take(BlockRange run) const {
  Run taken;
  const Lock lock(m_mutex);
  taken.before = m_totals.needs.next();
  for (auto at = m_blocks.lower_bound(run.first); at != m_blocks.end() && at->first < run.end(); ++at)
    taken.blocks.push_back({at->first, at->second.data, at->second.isJournaled});
  return taken;
}

std::vector<DirtyBlocks::Taken> DirtyBlocks::unjournaled(size_t countMax) const {
  std::vector<Taken> taken;
  const Lock lock(m_mutex);
  for (auto at = m_blocks.begin(); at != m_blocks.end() && taken.size() < countMax; ++at)
    if (isUnjournaled(at->second)) taken.push_back({at->first, at->second.data, false});
  return taken;
}

std::optional<BlockRange> DirtyBlocks::unjournaledSpan() const {
  std::optional<BlockRange> span;
  const Lock lock(m_mutex);
  for (const auto& [block, dirty] : m_blocks) {
    if (!isUnjournaled(dirty)) continue;
    if (!span) span = BlockRange{block, 1};
    span->count = block + 1 - span->first;
  }
  return span;
}

std::optional<SteadyTime> DirtyBlocks::oldest() const {
  const Lock lock(m_mutex);
  if (m_since.empty()) return std::nullopt;
  return SteadyTime(m_since.begin()->first);
}

std::optional<SteadyTime> DirtyBlocks::oldestUnprotected() const {
  const Lock lock(m_mutex);
  const auto found = std::ranges::find_if(m_since, [](const auto& second) { return second.second.unprotected > 0; });
  if (found == m_since.end()) return std::nullopt;
  return SteadyTime(found->first);
}

}  // namespace quarry::cache
