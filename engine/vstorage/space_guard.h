// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the disk clients may still fill: its free space less a reserve of max(1 %, 64 MiB), which is kept for rewriting optimized data
// and for lock files. The disk is asked at most every 500 ms; between that, blocks that landed are subtracted. Dirty blocks
// count as if they had landed: destaging them must not fail for want of space.
// Safe from any thread; asking is one statvfs. Failure: what was known last counts.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/os/file.h"

namespace quarry {

class SpaceGuard {
 public:
  static constexpr uint64_t reserveBytesMin = 64ull << 20;
  static constexpr std::chrono::milliseconds pollInterval{500};

  SpaceGuard(os::FileSystem& fileSystem, std::string storePath, const Clock& clock, const std::atomic<uint64_t>& landedBlocksNew,
             const std::atomic<uint64_t>* dirtyBlocks = nullptr);

  struct Space {
    uint64_t totalBytes = 0, freeBytes = 0, reserveBytes = 0, availableBytes = 0;
  };
  Space space();

  // Rewrite: of optimized data, which lands beside the old blocks. Small: lock files, names and what else must go on in a full store; the
  // last eighth of the reserve is theirs alone.
  enum class Use { Ordinary, Rewrite, Small };
  Result<void> admit(uint64_t bytes, Use use);   // NoSpace

 private:
  Space poll() REQUIRES(m_mutex);

  os::FileSystem& m_fileSystem;
  const std::string m_path;
  const Clock& m_clock;
  const std::atomic<uint64_t>& m_landedBlocksNew;
  const std::atomic<uint64_t>* const m_dirtyBlocks;  // null: there are none
  Mutex m_mutex;
  os::DiskSpace m_disk GUARDED_BY(m_mutex);
  uint64_t m_landedAtPoll GUARDED_BY(m_mutex) = 0;
  std::chrono::steady_clock::time_point m_polledAt GUARDED_BY(m_mutex){};
  bool m_known GUARDED_BY(m_mutex) = false;
};

}  // namespace quarry
