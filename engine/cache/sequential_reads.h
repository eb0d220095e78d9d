// SPDX-License-Identifier: GPL-3.0-or-later
// Notices readers that go through a file in order, several at a time, and says what to read ahead for them: twice what they read in
// order so far, up to windowBlocksMax beyond the newest read. Plain arithmetic.
// Threads: any. Ownership: one for each file. Failure: none; a reader that is not recognised costs nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/base/mutex.h"
#include "engine/cache/dirty_blocks.h"

namespace quarry::cache {

class SequentialReads {
 public:
  static constexpr uint64_t windowBlocksMax = 512;  // 2 MiB
  static constexpr uint64_t runBlocksMin = 16;      // in order before anything is read ahead

  // A client read these blocks. What should be read ahead now, if anything; it counts as done.
  std::optional<BlockRange> note(BlockRange read);

 private:
  struct Stream {
    uint64_t next = 0;      // the block after the newest read
    uint64_t run = 0;       // blocks read in order
    uint64_t aheadEnd = 0;  // read ahead up to here
    uint64_t usedAt = 0;
  };
  Mutex m_mutex;
  std::array<Stream, 4> m_streams GUARDED_BY(m_mutex){};
  uint64_t m_tick GUARDED_BY(m_mutex) = 0;
};

}  // namespace quarry::cache
