// SPDX-License-Identifier: GPL-3.0-or-later
// A pool with a read cache, whose blocks carry their key, and workloads with a fixed seed. Of one test, its threads included.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/cache/block_pool.h"
#include "engine/cache/read_cache.h"

namespace quarry::cache {

// A sanitizer keeps memory of its own for each of ours, and what was freed for a while.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool residentMemoryIsOurs = false;
#else
inline constexpr bool residentMemoryIsOurs = true;
#endif

class Random {
 public:
  explicit Random(uint64_t seed) : m_state(seed) {}
  uint64_t next() { return hashOf({m_state++, 0x5eed}); }
  uint64_t below(uint64_t bound) { return next() % bound; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t m_state;
};

// Ranks 0…count-1 with a probability of 1/(rank+1)^skew.
class Zipf {
 public:
  Zipf(size_t count, double skew) : m_sums(count) {
    double sum = 0;
    for (size_t i = 0; i < count; ++i) m_sums[i] = sum += std::pow(static_cast<double>(i + 1), -skew);
  }
  uint64_t draw(Random& random) const {
    const double at = random.unit() * m_sums.back();
    return static_cast<uint64_t>(std::upper_bound(m_sums.begin(), m_sums.end() - 1, at) - m_sums.begin());
  }

 private:
  std::vector<double> m_sums;
};

inline uint64_t valueOf(const BlockKey& key) { return hashOf(key); }
inline bool carries(const BlockRef& block, const BlockKey& key) {
  return loadLittle<uint64_t>(block.bytes().data()) == valueOf(key) && loadLittle<uint64_t>(block.bytes().data() + blockBytes - 8) == valueOf(key);
}

class CacheSite {
 public:
  CacheSite(uint64_t capacityBytes, uint64_t limitBytes) : pool(capacityBytes, limitBytes), cache(pool) {}

  BlockRef allocate() {
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (auto block = pool.tryAllocate()) return std::move(*block);
      if (!cache.makeRoom(16)) break;
    }
    return pool.allocateBeyond();
  }
  BlockRef made(const BlockKey& key) {
    BlockRef block = allocate();
    storeLittle<uint64_t>(block.fill().data(), valueOf(key));
    storeLittle<uint64_t>(block.fill().data() + blockBytes - 8, valueOf(key));
    return block;
  }
  // Down or up, as the owner of both does it.
  void setBudget(uint64_t bytes) {
    pool.setLimit(bytes);
    while (pool.usedBytes() > bytes && cache.makeRoom(256)) {
    }
    pool.setLimit(bytes);
  }
  // As a reader does it; whether it was a hit.
  bool read(const BlockKey& key) {
    if (cache.find(key)) return true;
    cache.insert(key, made(key));
    return false;
  }

  BlockPool pool;
  ReadCache cache;
};

}  // namespace quarry::cache
