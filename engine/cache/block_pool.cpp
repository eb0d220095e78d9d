// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_pool.h"

#include <thread>

namespace quarry::cache {

namespace {
// Pages kept above the limit, as a part of it: what is allocated beyond the limit and freed at once needs no trip to the kernel.
constexpr uint64_t slackShare = 64;
}  // namespace

BlockPool::BlockPool(uint64_t capacityBytesMax, uint64_t limitBytes)
    : m_pages(std::min(capacityBytesMax, blocksMax * blockBytes), ReservedMemory::Size::UpTo),
      m_capacityBlocks(m_pages.bytes() / blockBytes),
      m_cells(m_capacityBlocks),
      m_limitBlocks(std::min(limitBytes / blockBytes, m_capacityBlocks)) {}

BlockPool::~BlockPool() { QUARRY_ASSUME(m_usedBlocks.load() == 0); }

std::optional<BlockRef> BlockPool::tryAllocate() {
  const uint64_t limit = m_limitBlocks.load(std::memory_order_relaxed);
  if (m_usedBlocks.load(std::memory_order_relaxed) >= limit) return std::nullopt;  // a full pool is asked often
  if (m_usedBlocks.fetch_add(1, std::memory_order_relaxed) < limit) return allocate();
  m_usedBlocks.fetch_sub(1, std::memory_order_relaxed);
  return std::nullopt;
}

BlockRef BlockPool::allocateBeyond() {
  const uint64_t usedBefore = m_usedBlocks.fetch_add(1, std::memory_order_relaxed);
  QUARRY_CHECK(usedBefore < m_capacityBlocks);
  if (usedBefore >= m_limitBlocks.load(std::memory_order_relaxed)) m_beyondCount.fetch_add(1, std::memory_order_relaxed);
  return allocate();
}

// It is counted as used already.
BlockRef BlockPool::allocate() {
  const uint32_t index = take();
  references(index).store(1, std::memory_order_relaxed);
  return {*this, index};
}

uint32_t BlockPool::detach(BlockRef ref) {
  QUARRY_CHECK(ref.m_pool == this);
  ref.m_pool = nullptr;
  return ref.m_index;
}

BlockPool::Shelf& BlockPool::ownShelf() {
  static std::atomic<size_t> nextShelf = 0;
  static thread_local const size_t own = nextShelf.fetch_add(1, std::memory_order_relaxed) % shelfCount;
  return m_shelves[own];
}

uint32_t BlockPool::take() {
  if (const uint32_t warm = takeFree(Kind::Warm); warm != none) return warm;
  m_residentBlocks.fetch_add(1, std::memory_order_relaxed);
  for (;;) {
    if (const uint32_t cold = takeFree(Kind::Cold); cold != none) return cold;
    uint64_t fresh = m_freshBlocks.load(std::memory_order_relaxed);
    while (fresh < m_capacityBlocks)
      if (m_freshBlocks.compare_exchange_weak(fresh, fresh + 1, std::memory_order_relaxed)) return static_cast<uint32_t>(fresh);
    // All numbers are out, and fewer blocks than that are used: the one for us is on its way to a shelf, or became warm.
    if (const uint32_t warm = takeFree(Kind::Warm); warm != none) {
      m_residentBlocks.fetch_sub(1, std::memory_order_relaxed);
      return warm;
    }
    std::this_thread::yield();
  }
}

uint32_t BlockPool::takeFree(Kind kind) {
  Shelf& own = ownShelf();
  if (const uint32_t found = takeFrom(own, kind); found != none) return found;
  for (Shelf& shelf : m_shelves)
    if (&shelf != &own)
      if (const uint32_t found = takeFrom(shelf, kind); found != none) return found;
  return none;
}

uint32_t BlockPool::takeFrom(Shelf& shelf, Kind kind) {
  FreeBlocks& stack = kind == Kind::Warm ? shelf.warm : shelf.cold;
  if (stack.count.load(std::memory_order_relaxed) == 0) return none;
  const Lock lock(shelf.mutex);
  return pop(stack);
}

void BlockPool::push(FreeBlocks& stack, uint32_t index) {
  m_cells[index].next = stack.first;
  stack.first = index;
  stack.count.store(stack.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

uint32_t BlockPool::pop(FreeBlocks& stack) {
  const uint32_t index = stack.first;
  if (index == none) return none;
  stack.first = m_cells[index].next;
  stack.count.store(stack.count.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  return index;
}

bool BlockPool::isAboveLimit() const {
  const uint64_t limit = m_limitBlocks.load(std::memory_order_relaxed);
  return m_residentBlocks.load(std::memory_order_relaxed) > limit + limit / slackShare;
}

void BlockPool::free(uint32_t index) {
  Shelf& shelf = ownShelf();
  Batch batch;
  size_t count = 0;
  {
    const Lock lock(shelf.mutex);
    push(shelf.warm, index);
    if (isAboveLimit() && shelf.warm.count.load(std::memory_order_relaxed) >= trimBlocks)
      for (; count < trimBlocks; ++count) batch[count] = pop(shelf.warm);
  }
  m_usedBlocks.fetch_sub(1, std::memory_order_relaxed);  // last: whoever is let in by this finds the block
  trim(shelf, std::span(batch).first(count));
}

// The blocks are on no shelf meanwhile. Neighbours go in one call.
void BlockPool::trim(Shelf& shelf, std::span<uint32_t> blocks) {
  if (blocks.empty()) return;
  std::ranges::sort(blocks);
  for (size_t first = 0, end = 1; first < blocks.size(); first = end++) {
    while (end < blocks.size() && blocks[end] == blocks[end - 1] + 1) ++end;
    m_pages.giveBack(uint64_t{blocks[first]} * blockBytes, (end - first) * blockBytes);
  }
  m_residentBlocks.fetch_sub(blocks.size(), std::memory_order_relaxed);
  const Lock lock(shelf.mutex);
  for (const uint32_t index : blocks) push(shelf.cold, index);
}

size_t BlockPool::takeWarm(Shelf& shelf, Batch& batch) {
  const Lock lock(shelf.mutex);
  size_t count = 0;
  while (count < batch.size() && shelf.warm.first != none) batch[count++] = pop(shelf.warm);
  return count;
}

void BlockPool::setLimit(uint64_t bytes) {
  m_limitBlocks.store(std::min(bytes / blockBytes, m_capacityBlocks), std::memory_order_relaxed);
  for (Shelf& shelf : m_shelves) {
    Batch batch;
    while (isAboveLimit()) {
      const size_t count = takeWarm(shelf, batch);
      if (count == 0) break;
      trim(shelf, std::span(batch).first(count));
    }
  }
}

}  // namespace quarry::cache
