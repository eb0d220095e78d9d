// SPDX-License-Identifier: GPL-3.0-or-later
// Turns block reads into what the disk is asked: which frames of which containers, neighbouring frames joined into one aligned read of at
// most 512 KiB and 64 frames. Pure; one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_store.h"
#include "engine/blockstore/container_reader.h"

namespace quarry::blockstore {

// Blocks of one frame and where they go.
struct FramePart {
  ContainerNumber container = 0;
  uint32_t frame = 0;
  uint32_t firstBlock = 0;  // in the frame
  uint32_t blockCount = 0;
  std::byte* into = nullptr;
};

// In order of container and frame; several parts may want the same frame.
std::vector<FramePart> splitIntoFrames(const std::vector<BlockRead>& reads);

struct DiskRead {
  std::shared_ptr<ContainerReader> container;
  std::span<const FramePart> parts;  // of frames that lie in this read
  uint64_t offset = 0, bytes = 0;    // aligned
  AlignedBuffer buffer;              // made when the read begins, so that a large plan takes no RAM yet
};

// `parts` are of this container. Corrupt: one wants a frame or block that the container does not have.
Result<void> planReads(std::span<const FramePart> parts, const std::shared_ptr<ContainerReader>& container, std::vector<DiskRead>& reads);

// Checks and decodes the frames of a finished read and copies out the blocks wanted.
Result<void> deliver(const DiskRead& read);

}  // namespace quarry::blockstore
