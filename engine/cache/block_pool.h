// SPDX-License-Identifier: GPL-3.0-or-later
// The RAM of all cached blocks, dirty and clean: pages of one reserved range of addresses under a limit that changes live. A block is written
// by whoever allocated it, and never changes once a second reference exists: readers, journal, destager and network share it without copies.
//
// What the pool takes from the machine follows the limit: a freed page is kept for the next block while the limit allows it, else the kernel
// gets it back, in batches.
//
// Threads: any, all functions. Ownership: the pool outlives its references. Failure: none but std::bad_alloc at construction; a limit above
// the capacity counts as the capacity.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/mutex.h"
#include "engine/cache/reserved_memory.h"

namespace quarry::cache {

class BlockPool;

// A counted reference to one block, or to none. Copies may be used by different threads, one object by one at a time.
class BlockRef {
 public:
  BlockRef() = default;
  inline BlockRef(const BlockRef& other);
  BlockRef(BlockRef&& other) noexcept : m_pool(std::exchange(other.m_pool, nullptr)), m_index(std::exchange(other.m_index, 0)) {}
  BlockRef& operator=(BlockRef other) noexcept {
    std::swap(m_pool, other.m_pool);
    std::swap(m_index, other.m_index);
    return *this;
  }
  inline ~BlockRef();

  explicit operator bool() const { return m_pool != nullptr; }
  bool operator==(const BlockRef& other) const = default;  // the same block, or both none
  // REQUIRES for all that follows: it refers to a block.
  inline Bytes bytes() const;
  inline bool isSole() const;
  inline MutableBytes fill();  // REQUIRES: isSole()

 private:
  friend class BlockPool;
  BlockRef(BlockPool& pool, uint32_t index) : m_pool(&pool), m_index(index) {}

  BlockPool* m_pool = nullptr;
  uint32_t m_index = 0;
};
static_assert(sizeof(BlockRef) == 16);

class BlockPool {
 public:
  static constexpr uint64_t blocksMax = uint64_t{1} << 28;  // 1 TiB; the read cache keeps numbers of 28 bits

  // `capacityBytesMax` is address space only; usually the machine's RAM.
  BlockPool(uint64_t capacityBytesMax, uint64_t limitBytes);
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  // Contents are undefined. Nothing when the limit is reached: evict, then try again.
  std::optional<BlockRef> tryAllocate();
  // For what must not fail. REQUIRES: usedBytes() < capacityBytes().
  BlockRef allocateBeyond();

  // Free pages above the new limit go back before it returns; those of blocks in use when they are freed.
  void setLimit(uint64_t bytes);
  uint64_t limitBytes() const { return m_limitBlocks.load(std::memory_order_relaxed) * blockBytes; }
  uint64_t capacityBytes() const { return m_capacityBlocks * blockBytes; }
  uint64_t usedBytes() const { return m_usedBlocks.load(std::memory_order_relaxed) * blockBytes; }
  uint64_t residentBytes() const { return m_residentBlocks.load(std::memory_order_relaxed) * blockBytes; }  // used, and kept for the next
  uint64_t beyondCount() const { return m_beyondCount.load(std::memory_order_relaxed); }  // blocks allocated above the limit so far

  // For holders of many: the number of a block stands for one reference, in 4 bytes.
  uint32_t detach(BlockRef ref);                          // REQUIRES: of this pool
  BlockRef adopt(uint32_t index) { return {*this, index}; }  // takes over what detach() gave
  BlockRef share(uint32_t index) {
    addReference(index);
    return {*this, index};
  }

 private:
  friend class BlockRef;
  static constexpr uint32_t none = UINT32_MAX;
  static constexpr size_t shelfCount = 8, trimBlocks = 32;

  // A stack of free blocks, linked by Cell::next.
  struct FreeBlocks {
    uint32_t first = none;
    std::atomic<uint32_t> count = 0;  // read without the lock as a hint
  };
  enum class Kind { Warm, Cold };  // its page is resident, or the kernel has it
  // Threads spread over the shelves, so that they seldom meet at a lock.
  struct alignas(64) Shelf {
    Mutex mutex;
    FreeBlocks warm GUARDED_BY(mutex), cold GUARDED_BY(mutex);
  };
  struct Cell {
    uint32_t references;
    uint32_t next;
  };

  std::byte* page(uint32_t index) const { return m_pages.data() + uint64_t{index} * blockBytes; }
  std::atomic_ref<uint32_t> references(uint32_t index) { return std::atomic_ref(m_cells[index].references); }
  void addReference(uint32_t index) { references(index).fetch_add(1, std::memory_order_relaxed); }
  void dropReference(uint32_t index) {
    if (references(index).fetch_sub(1, std::memory_order_acq_rel) == 1) free(index);
  }

  Shelf& ownShelf();
  BlockRef allocate();
  uint32_t take();
  uint32_t takeFree(Kind kind);
  uint32_t takeFrom(Shelf& shelf, Kind kind);
  void free(uint32_t index);
  void push(FreeBlocks& stack, uint32_t index);
  uint32_t pop(FreeBlocks& stack);
  bool isAboveLimit() const;
  using Batch = std::array<uint32_t, trimBlocks>;
  void trim(Shelf& shelf, std::span<uint32_t> blocks);
  size_t takeWarm(Shelf& shelf, Batch& batch);

  ReservedMemory m_pages;
  const uint64_t m_capacityBlocks;
  ReservedArray<Cell> m_cells;
  std::array<Shelf, shelfCount> m_shelves;
  std::atomic<uint64_t> m_limitBlocks;
  alignas(64) std::atomic<uint64_t> m_usedBlocks = 0;
  alignas(64) std::atomic<uint64_t> m_residentBlocks = 0;
  std::atomic<uint64_t> m_freshBlocks = 0;  // numbers from here on were never used
  std::atomic<uint64_t> m_beyondCount = 0;
};

BlockRef::BlockRef(const BlockRef& other) : m_pool(other.m_pool), m_index(other.m_index) {
  if (m_pool) m_pool->addReference(m_index);
}

BlockRef::~BlockRef() {
  if (m_pool) m_pool->dropReference(m_index);
}

Bytes BlockRef::bytes() const {
  QUARRY_ASSUME(m_pool);
  return {m_pool->page(m_index), blockBytes};
}

bool BlockRef::isSole() const { return m_pool->references(m_index).load(std::memory_order_acquire) == 1; }

MutableBytes BlockRef::fill() {
  QUARRY_CHECK(m_pool && isSole());
  return {m_pool->page(m_index), blockBytes};
}

}  // namespace quarry::cache
