// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/cache_budget.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

#include "engine/base/bytes.h"

namespace quarry::cache {

namespace {
constexpr uint64_t gib = 1ull << 30, mib = 1ull << 20;
constexpr uint64_t cacheBytesMin = 16 * mib;

uint64_t numberIn(const std::string& path) {
  std::ifstream file(path);
  uint64_t value = 0;
  return file >> value ? value : 0;
}

// A line such as "MemTotal:  24682624 kB".
uint64_t memInfo(const std::string& name) {
  std::ifstream file("/proc/meminfo");
  std::string word;
  uint64_t kib = 0;
  while (file >> word) {
    if (word == name + ":" && file >> kib) return kib * 1024;
  }
  return 0;
}

std::string text(uint64_t bytes) {
  return bytes >= gib ? fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(gib)) : fmt::format("{} MiB", bytes / mib);
}
}  // namespace

CacheLimits cacheLimits() {
  CacheLimits limits;
  limits.machineBytes = memInfo("MemTotal");
  limits.availableBytes = memInfo("MemAvailable");
  // Of a control group, version 2; "max" and no such file both mean that there is no limit.
  if (const uint64_t allowed = numberIn("/sys/fs/cgroup/memory.max"); allowed != 0 && allowed < limits.machineBytes) {
    limits.machineBytes = allowed;
    const uint64_t used = numberIn("/sys/fs/cgroup/memory.current");
    limits.availableBytes = std::min(limits.availableBytes, allowed - std::min(allowed, used));
  }
  limits.bytesMin = cacheBytesMin;
  const uint64_t kept = std::max(gib, limits.machineBytes / 10);
  limits.bytesMax = std::max(cacheBytesMin, alignDown(limits.machineBytes - std::min(limits.machineBytes, kept), mib));
  return limits;
}

uint64_t residentBytesOfProcess() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

Result<void> checkCacheSize(uint64_t bytes) {
  const CacheLimits limits = cacheLimits();
  if (bytes < limits.bytesMin) return fail(ErrorCode::InvalidArgument, "the cache needs at least " + text(limits.bytesMin));
  if (bytes <= limits.bytesMax) return {};
  return fail(ErrorCode::InvalidArgument, fmt::format("a cache of {} is too large: the machine has {} of memory, and {} of it may be cache", text(bytes),
                                                      text(limits.machineBytes), text(limits.bytesMax)));
}

uint64_t defaultCacheBytes() {
  const CacheLimits limits = cacheLimits();
  return std::clamp(alignDown(limits.machineBytes / 4, mib), limits.bytesMin, limits.bytesMax);
}

}  // namespace quarry::cache
