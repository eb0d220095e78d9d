// SPDX-License-Identifier: GPL-3.0-or-later
// Which 4 KiB blocks of one file its landing file holds: a bitmap per 4 MiB segment, kept only for segments that hold data, so that a
// sparse file of any size costs nothing. Not thread-safe: its owner locks.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/os/file.h"

namespace quarry {

using LandedBlocks = std::bitset<segmentBlocks>;

class LandedMap {
 public:
  LandedBlocks blocks(uint32_t segment) const;
  std::vector<uint32_t> segments() const;  // that hold data, in order
  uint64_t blockCount() const { return m_blockCount; }

  // Both take whole blocks and return how many changed. A range beyond the last segment a 32-bit number names is our own bug.
  uint64_t set(os::ByteRange range);
  uint64_t clear(os::ByteRange range);
  // What the disk says about [range): exactly the blocks that `data` touches are landed there.
  void replace(os::ByteRange range, const std::vector<os::ByteRange>& data);
  uint64_t countIn(os::ByteRange range) const;
  uint64_t end() const;  // first byte after the last landed block

 private:
  std::map<uint32_t, LandedBlocks> m_segments;
  uint64_t m_blockCount = 0;
};

}  // namespace quarry
