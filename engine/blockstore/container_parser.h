// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a container file (container_format.h) → checked values. Pure functions, so that they can be fuzzed: whatever the bytes, they
// answer with values that obey the format, or with Corrupt (VersionTooNew for a newer format) and a message that names container and frame.
// Safe from any thread.
#pragma once

#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/blockstore/block_store.h"
#include "engine/blockstore/container_format.h"

namespace quarry::blockstore {

struct ContainerDirectory {
  ContainerNumber number = 0;
  uint32_t blockCount = 0;
  uint32_t fingerprintOffset = 0;
  uint64_t fingerprintChecksum = 0;
  std::vector<FrameEntry> frames;
};

// `head`: the first containerHeadBytesMax bytes of the file, or all of it when it is shorter. `fileBytes`: its length.
Result<ContainerDirectory> parseContainerHead(ContainerNumber number, Bytes head, uint64_t fileBytes);

// `bytes`: blockCount * 16 bytes from fingerprintOffset.
Result<std::vector<Fingerprint>> parseFingerprints(const ContainerDirectory& directory, Bytes bytes);

// `stored`: the storedBytes of the frame's entry. Fills `into`, which is blockCount * 4096 long.
Result<void> decodeFrame(const ContainerDirectory& directory, uint32_t frame, Bytes stored, MutableBytes into);

}  // namespace quarry::blockstore
