// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/caches.h"

#include "engine/cache/cache_budget.h"

namespace quarry::cache {

namespace {
constexpr uint64_t dirtyShare = 2;  // dirty blocks take at most one part in so many
constexpr uint64_t shrinkBlocks = 256;
constexpr uint64_t roomBlocks = 16; // made at once when a block is missing
}  // namespace

Caches::Caches(uint64_t budgetBytes, const Clock& clock)
    : m_pool(cacheLimits().machineBytes, budgetBytes), m_read(m_pool), m_write(clock), m_budgetBytes(budgetBytes) {
  setBudget(budgetBytes);
  m_zeroBlock = m_pool.allocateBeyond();
  std::memset(m_zeroBlock.fill().data(), 0, blockBytes);
}

void Caches::setBudget(uint64_t bytes) {
  m_budgetBytes.store(bytes);
  m_write.setDirtyBytesMax(bytes / dirtyShare);
  m_pool.setLimit(bytes);
  // Shard by shard, a few at a time: nobody waits for it.
  while (m_pool.usedBytes() > bytes && m_read.makeRoom(shrinkBlocks)) {
  }
  m_pool.setLimit(bytes);  // what became free goes back
}

BlockRef Caches::allocate() {
  if (auto block = m_pool.tryAllocate()) return std::move(*block);
  if (m_read.makeRoom(roomBlocks)) {
    if (auto block = m_pool.tryAllocate()) return std::move(*block);
  }
  return m_pool.allocateBeyond();
}

}  // namespace quarry::cache
