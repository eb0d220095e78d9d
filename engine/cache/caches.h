// SPDX-License-Identifier: GPL-3.0-or-later
// The RAM cache as a whole: one budget in bytes, the blocks taken from it, the dirty ones in the write cache and the clean ones in the
// read cache. Dirty ones may take up to half; clean ones take what is left and give way.
//
// Threads: any. Ownership: outlives the files whose blocks it holds. Failure: none; without room a block is taken beyond the budget for the
// moment, and the read cache gives back as much.
#pragma once

#include <atomic>
#include <cstring>
#include <vector>

#include "engine/cache/block_pool.h"
#include "engine/cache/read_cache.h"
#include "engine/cache/write_cache.h"

namespace quarry::cache {

class Caches {
 public:
  Caches(uint64_t budgetBytes, const Clock& clock);

  BlockPool& pool() { return m_pool; }
  ReadCache& read() { return m_read; }
  WriteCache& write() { return m_write; }

  uint64_t budgetBytes() const { return m_budgetBytes.load(); }
  void setBudget(uint64_t bytes);

  // For keys of the read cache; 0 stands for the block store.
  uint64_t newOwner() { return m_nextOwner.fetch_add(1, std::memory_order_relaxed); }
  // To be filled by whoever asked.
  BlockRef allocate();
  BlockRef copyOf(Bytes block) {
    BlockRef copy = allocate();
    std::memcpy(copy.fill().data(), block.data(), blockBytes);
    return copy;
  }
  std::vector<BlockRef> copiesOf(Bytes blocks) {
    std::vector<BlockRef> copies;
    copies.reserve(blocks.size() / blockBytes);
    for (uint64_t at = 0; at < blocks.size(); at += blockBytes) copies.push_back(copyOf(blocks.subspan(at, blockBytes)));
    return copies;
  }
  const BlockRef& zeroBlock() const { return m_zeroBlock; }

 private:
  BlockPool m_pool;
  ReadCache m_read;
  WriteCache m_write;
  std::atomic<uint64_t> m_budgetBytes;
  std::atomic<uint64_t> m_nextOwner = 1;
  BlockRef m_zeroBlock;
};

}  // namespace quarry::cache
