// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/sequential_reads.h"

#include <algorithm>

namespace quarry::cache {

namespace {
constexpr uint64_t reorderBlocksMax = 512;  // clients send several reads at once, and they arrive in any order
}

std::optional<BlockRange> SequentialReads::note(BlockRange read) {
  const Lock lock(m_mutex);
  ++m_tick;
  // A piece of a stream: at its end, or a little before or behind it.
  const auto belongs = [&read](const Stream& stream) {
    return stream.run > 0 && read.first + reorderBlocksMax >= stream.next && read.first <= stream.next + (stream.run >= runBlocksMin ? reorderBlocksMax : 0);
  };
  auto stream = std::find_if(m_streams.begin(), m_streams.end(), belongs);
  if (stream == m_streams.end()) {
    stream = std::min_element(m_streams.begin(), m_streams.end(), [](const Stream& a, const Stream& b) { return a.usedAt < b.usedAt; });
    *stream = {.next = read.end(), .run = read.count, .aheadEnd = 0, .usedAt = m_tick};
    return std::nullopt;
  }
  stream->usedAt = m_tick;
  if (read.end() <= stream->next) return std::nullopt;
  stream->run += read.end() - stream->next;
  stream->next = read.end();
  if (stream->run < runBlocksMin) return std::nullopt;
  const uint64_t from = std::max(stream->next, stream->aheadEnd);
  const uint64_t to = stream->next + std::min(2 * stream->run, windowBlocksMax);
  // In pieces worth a disk access: half of what is to lie ahead.
  if (to < from + (to - stream->next) / 2) return std::nullopt;
  stream->aheadEnd = to;
  return BlockRange{from, to - from};
}

}  // namespace quarry::cache
