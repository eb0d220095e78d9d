// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a container file STORE/containers/<number>.qc. All integers are little-endian.
//
//   container    := header directory gap frames fingerprints padding
//   header       := ContainerHeader (64 bytes)
//   directory    := FrameEntry × frameCount, right after the header
//   gap          := zero bytes up to the next multiple of 4096
//   frames       := the stored bytes of each frame, where its entry says; no two overlap
//   fingerprints := 16 bytes × blockCount, in block order, at fingerprintOffset
//   padding      := zero bytes up to fileBytes, a multiple of 4096
//
// Block i of the container is block i % 4 of frame i / 4: every frame holds four blocks but the last, which may hold fewer.
// Header and directory stand together at the start, so that a reader that does not know the container needs one read before the frame's.
//
// Order of writing: frames to padding, sync, then header and directory, sync, then the folder is synced; only after that may a
// recipe name the container. A crash before leaves a file without a valid header that no recipe names.
//
// Valid is a container whose header has the magic, a known version, the number of its file name and its own checksum right; whose
// directory matches directoryChecksum; whose counts agree (above, and 1…1024 frames); whose entries lie between the gap and fingerprintOffset; and
// whose file is fileBytes long. Frames and fingerprints are checked when they are read: a damaged frame harms its four blocks only.
// Checksums are XXH3-64; their seeds hold the container number (and frame), so that bytes in the wrong place are damage too.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "engine/base/bytes.h"
#include "engine/blockstore/frame_codec.h"
#include "engine/metadata/recipe_table.h"

namespace quarry::blockstore {

inline constexpr uint64_t containerMagic = 0x3143'5952'5241'5551;  // "QUARRYC1"
inline constexpr uint32_t containerVersion = 1;
inline constexpr uint32_t containerFramesMax = 1024;
inline constexpr uint32_t containerBlocksMax = containerFramesMax * frameBlocksMax;
static_assert(containerBlocksMax == metadata::containerBlocks);

struct ContainerHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t frameCount;
  uint64_t number;
  uint32_t blockCount;
  uint32_t fingerprintOffset;
  uint64_t fileBytes;
  uint64_t directoryChecksum;    // seed: number
  uint64_t fingerprintChecksum;  // seed: number
  uint64_t headerChecksum;       // of the 56 bytes before it
};
static_assert(sizeof(ContainerHeader) == 64 && std::is_trivially_copyable_v<ContainerHeader>);

struct FrameEntry {
  uint32_t offset;       // in the file
  uint16_t storedBytes;
  uint8_t blockCount;    // 1…4
  FrameForm form;
  uint64_t checksum;     // of the stored bytes; seed: frameSeed()
};
static_assert(sizeof(FrameEntry) == 16 && std::is_trivially_copyable_v<FrameEntry>);

constexpr uint64_t containerHeadBytes(uint32_t frameCount) {
  return alignUp(sizeof(ContainerHeader) + uint64_t{frameCount} * sizeof(FrameEntry), blockBytes);
}
inline constexpr uint64_t containerHeadBytesMax = containerHeadBytes(containerFramesMax);
inline constexpr uint64_t containerFileBytesMax =
    alignUp(containerHeadBytesMax + uint64_t{containerBlocksMax} * (blockBytes + 16), blockBytes);
static_assert(containerFileBytesMax < (uint64_t{1} << 32) && frameBytesMax < (1u << 16), "FrameEntry's fields hold every value");

constexpr uint64_t frameSeed(metadata::ContainerNumber number, uint32_t frame) { return number * containerFramesMax + frame; }

inline std::string containerPath(const std::string& folder, metadata::ContainerNumber number) {
  return folder + "/" + std::to_string(number) + ".qc";
}

}  // namespace quarry::blockstore
