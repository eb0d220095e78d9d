// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/landing/landed_map.h"

#include <algorithm>
#include <limits>

#include "engine/base/check.h"

namespace quarry {

namespace {
// The bits [first, last) of a segment.
LandedBlocks bitsOf(uint64_t first, uint64_t last) {
  LandedBlocks bits;
  bits.set();
  bits >>= segmentBlocks - (last - first);
  return bits <<= first;
}

// The blocks of `range` in segment `segment`; REQUIRES that they overlap.
LandedBlocks bitsIn(uint32_t segment, os::ByteRange range) {
  const uint64_t start = segment * segmentBytes;
  const uint64_t end = range.offset + range.length;
  const uint64_t first = range.offset > start ? (range.offset - start) / blockBytes : 0;
  const uint64_t last = std::min(segmentBlocks, (end - start) / blockBytes);
  return bitsOf(first, last);
}

uint32_t segmentAt(uint64_t offset) {
  QUARRY_CHECK(offset / segmentBytes <= std::numeric_limits<uint32_t>::max());
  return static_cast<uint32_t>(offset / segmentBytes);
}
}  // namespace

LandedBlocks LandedMap::blocks(uint32_t segment) const {
  const auto found = m_segments.find(segment);
  return found == m_segments.end() ? LandedBlocks() : found->second;
}

std::vector<uint32_t> LandedMap::segments() const {
  std::vector<uint32_t> segments;
  segments.reserve(m_segments.size());
  for (const auto& [segment, blocks] : m_segments) segments.push_back(segment);
  return segments;
}

uint64_t LandedMap::set(os::ByteRange range) {
  if (range.length == 0) return 0;
  uint64_t changed = 0;
  for (uint32_t segment = segmentAt(range.offset); segment <= segmentAt(range.offset + range.length - 1); ++segment) {
    LandedBlocks& blocks = m_segments[segment];
    const size_t before = blocks.count();
    blocks |= bitsIn(segment, range);
    changed += blocks.count() - before;
  }
  m_blockCount += changed;
  return changed;
}

uint64_t LandedMap::clear(os::ByteRange range) {
  if (range.length == 0 || m_segments.empty()) return 0;
  uint64_t changed = 0;
  const uint64_t end = range.offset + range.length;
  auto at = m_segments.lower_bound(static_cast<uint32_t>(std::min<uint64_t>(range.offset / segmentBytes, std::numeric_limits<uint32_t>::max())));
  while (at != m_segments.end() && at->first * segmentBytes < end) {
    if ((at->first + 1) * segmentBytes <= range.offset) break;  // only when the range starts beyond every segment
    const size_t before = at->second.count();
    at->second &= ~bitsIn(at->first, range);
    changed += before - at->second.count();
    at = at->second.none() ? m_segments.erase(at) : std::next(at);
  }
  m_blockCount -= changed;
  return changed;
}

void LandedMap::replace(os::ByteRange range, const std::vector<os::ByteRange>& data) {
  clear(range);
  const uint64_t end = range.offset + range.length;
  for (const os::ByteRange& part : data) {
    const uint64_t from = std::max(alignDown(part.offset, blockBytes), range.offset);
    const uint64_t to = std::min(alignUp(part.offset + part.length, blockBytes), end);
    if (from < to) set({from, to - from});
  }
}

uint64_t LandedMap::countIn(os::ByteRange range) const {
  if (range.length == 0) return 0;
  uint64_t count = 0;
  const uint64_t end = range.offset + range.length;
  for (auto at = m_segments.lower_bound(segmentAt(range.offset)); at != m_segments.end() && at->first * segmentBytes < end; ++at)
    count += (at->second & bitsIn(at->first, range)).count();
  return count;
}

uint64_t LandedMap::end() const {
  if (m_segments.empty()) return 0;
  const auto& [segment, blocks] = *m_segments.rbegin();
  uint64_t last = segmentBlocks;
  while (last > 0 && !blocks[last - 1]) --last;
  return segment * segmentBytes + last * blockBytes;
}

}  // namespace quarry
