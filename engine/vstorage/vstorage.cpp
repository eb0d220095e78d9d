// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vstorage.h"

#include <algorithm>

namespace quarry {

// Neighbours in memory become one piece: fewer of them make a shorter gathering write.
std::vector<Bytes> piecesOf(const ReadReply& reply) {
  std::vector<Bytes> pieces;
  if (reply.count == 0) return pieces;
  if (reply.blocks.empty()) {
    pieces.push_back(reply.buffer.bytes().subspan(reply.firstByte, reply.count));
    return pieces;
  }
  size_t left = reply.count, skip = reply.firstByte;
  for (const cache::BlockRef& block : reply.blocks) {
    const Bytes part = block.bytes().subspan(skip, std::min<size_t>(blockBytes - skip, left));
    skip = 0;
    left -= part.size();
    if (!pieces.empty() && pieces.back().data() + pieces.back().size() == part.data()) {
      pieces.back() = {pieces.back().data(), pieces.back().size() + part.size()};
    } else {
      pieces.push_back(part);
    }
  }
  return pieces;
}

std::vector<std::byte> copyOf(const ReadReply& reply) {
  std::vector<std::byte> bytes;
  bytes.reserve(reply.count);
  for (const Bytes piece : piecesOf(reply)) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

}  // namespace quarry
