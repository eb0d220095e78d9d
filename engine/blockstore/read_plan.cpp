// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/read_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "engine/base/check.h"

namespace quarry::blockstore {
namespace {
constexpr uint64_t diskReadBytesMax = 512 * 1024;
constexpr uint32_t diskReadFramesMax = 64;
}  // namespace

std::vector<FramePart> splitIntoFrames(const std::vector<BlockRead>& reads) {
  std::vector<FramePart> parts;
  for (const BlockRead& read : reads) {
    QUARRY_CHECK(read.into.size() == read.count * blockBytes);
    for (uint32_t done = 0; done < read.count;) {
      const PhysicalBlock block = read.first + done;
      const uint32_t index = metadata::indexInContainer(block);
      const uint32_t firstBlock = index % frameBlocksMax;
      const uint32_t blockCount = std::min(frameBlocksMax - firstBlock, read.count - done);
      parts.push_back({.container = metadata::containerOf(block), .frame = index / frameBlocksMax, .firstBlock = firstBlock,
                       .blockCount = blockCount, .into = read.into.data() + done * blockBytes});
      done += blockCount;
    }
  }
  std::ranges::stable_sort(parts, {}, [](const FramePart& part) { return std::pair(part.container, part.frame); });
  return parts;
}

Result<void> planReads(std::span<const FramePart> parts, const std::shared_ptr<ContainerReader>& container, std::vector<DiskRead>& reads) {
  const ContainerDirectory& directory = *container->directory();
  for (const FramePart& part : parts)
    if (part.frame >= directory.frames.size() || part.firstBlock + part.blockCount > directory.frames[part.frame].blockCount)
      return fail(ErrorCode::Corrupt, fmt::format("container {} has no block {}", directory.number, part.frame * frameBlocksMax + part.firstBlock));

  for (size_t first = 0, end = 0; first < parts.size(); first = end) {
    const FrameEntry& start = directory.frames[parts[first].frame];
    uint64_t to = uint64_t{start.offset} + start.storedBytes;
    for (end = first + 1; end < parts.size() && parts[end].frame - parts[first].frame < diskReadFramesMax; ++end) {
      const FrameEntry& entry = directory.frames[parts[end].frame];
      const bool sameFrame = parts[end].frame == parts[end - 1].frame;
      if (!sameFrame && (entry.offset != to || to - start.offset + entry.storedBytes > diskReadBytesMax)) break;
      if (!sameFrame) to += entry.storedBytes;
    }
    const uint64_t offset = alignDown(start.offset, blockBytes);
    reads.push_back({.container = container, .parts = parts.subspan(first, end - first), .offset = offset,
                     .bytes = alignUp(to, blockBytes) - offset, .buffer = {}});
  }
  return {};
}

Result<void> deliver(const DiskRead& read) {
  const ContainerDirectory& directory = *read.container->directory();
  alignas(64) std::array<std::byte, frameBytesMax> whole;
  std::optional<uint32_t> inWhole;  // the frame that `whole` holds
  for (const FramePart& part : read.parts) {
    const FrameEntry& entry = directory.frames[part.frame];
    const Bytes stored = read.buffer.bytes().subspan(entry.offset - read.offset, entry.storedBytes);
    if (part.blockCount == entry.blockCount) {
      if (auto decoded = decodeFrame(directory, part.frame, stored, {part.into, part.blockCount * blockBytes}); !decoded) return decoded;
      continue;
    }
    if (inWhole != part.frame) {
      if (auto decoded = decodeFrame(directory, part.frame, stored, {whole.data(), entry.blockCount * blockBytes}); !decoded) return decoded;
      inWhole = part.frame;
    }
    std::memcpy(part.into, whole.data() + part.firstBlock * blockBytes, part.blockCount * blockBytes);
  }
  return {};
}

}  // namespace quarry::blockstore
