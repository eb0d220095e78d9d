// SPDX-License-Identifier: GPL-3.0-or-later
// What of this machine's memory the cache may take. Plain functions that ask the system; safe from any thread.
#pragma once

#include <cstdint>

#include "engine/base/result.h"

namespace quarry::cache {

struct CacheLimits {
  uint64_t bytesMin = 0, bytesMax = 0;  // what may be chosen
  uint64_t machineBytes = 0;            // RAM, or what a container allows
  uint64_t availableBytes = 0;          // of it, free or freed on demand
};
CacheLimits cacheLimits();
uint64_t residentBytesOfProcess();

// InvalidArgument with what the machine has.
Result<void> checkCacheSize(uint64_t bytes);
// A quarter of the memory.
uint64_t defaultCacheBytes();

}  // namespace quarry::cache
