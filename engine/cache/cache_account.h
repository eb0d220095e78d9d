// SPDX-License-Identifier: GPL-3.0-or-later
// What the caches did for one vstorage, or for the whole engine: plain atomics, written where it happens, read by statistics. Counts are
// since the start. Safe from any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/cache/hit_curve.h"

namespace quarry::cache {

struct CacheAccount {
  explicit CacheAccount(const Clock& clock) : curve(clock) {}

  std::atomic<uint64_t> dirtyBlocks = 0;         // now
  std::atomic<uint64_t> unprotectedBlocks = 0;   // now; of them, acknowledged and in RAM alone
  std::atomic<uint64_t> writtenBlocks = 0;       // into the write cache
  std::atomic<uint64_t> absorbedBlocks = 0;      // of them, written again before they were destaged
  std::atomic<uint64_t> readHits = 0, readMisses = 0;  // blocks
  HitCurve curve;                                      // of reads
};

}  // namespace quarry::cache
