// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/container_parser.h"

#include <fmt/core.h>

#include <cstddef>

#include "engine/base/check.h"
#include "engine/base/checksum.h"

namespace quarry::blockstore {
namespace {

tl::unexpected<Error> corrupt(ContainerNumber number, std::string_view what) {
  return fail(ErrorCode::Corrupt, fmt::format("container {}: {}", number, what));
}

Result<void> checkHeader(const ContainerHeader& header, Bytes bytes, ContainerNumber number, uint64_t fileBytes) {
  if (header.magic != containerMagic) return corrupt(number, "not a container");
  if (checksum(bytes.first(offsetof(ContainerHeader, headerChecksum))) != header.headerChecksum) return corrupt(number, "the header is damaged");
  if (header.version != containerVersion)
    return fail(ErrorCode::VersionTooNew, fmt::format("container {}: format {} is newer than this Quarry", number, header.version));
  if (header.number != number) return corrupt(number, fmt::format("the file holds container {}", header.number));
  if (header.fileBytes != fileBytes) return corrupt(number, fmt::format("the file is {} bytes long instead of {}", fileBytes, header.fileBytes));
  if (header.frameCount < 1 || header.frameCount > containerFramesMax) return corrupt(number, "the frame count is impossible");
  if (header.blockCount > header.frameCount * frameBlocksMax || header.blockCount <= (header.frameCount - 1) * frameBlocksMax)
    return corrupt(number, "the block count is impossible");
  const uint64_t fingerprintEnd = uint64_t{header.fingerprintOffset} + header.blockCount * sizeof(Fingerprint);
  if (header.fingerprintOffset < containerHeadBytes(header.frameCount) || fingerprintEnd > fileBytes || fileBytes % blockBytes != 0)
    return corrupt(number, "the fingerprint list lies outside the file");
  return {};
}

bool isPossible(const FrameEntry& entry, const ContainerHeader& header, uint32_t frame) {
  const uint32_t blockCount = std::min(frameBlocksMax, header.blockCount - frame * frameBlocksMax);
  if (entry.blockCount != blockCount || entry.storedBytes == 0 || entry.storedBytes > blockCount * blockBytes) return false;
  if (entry.form != FrameForm::Zstd && entry.form != FrameForm::Raw) return false;
  if (entry.form == FrameForm::Raw && entry.storedBytes != blockCount * blockBytes) return false;
  return entry.offset >= containerHeadBytes(header.frameCount) && uint64_t{entry.offset} + entry.storedBytes <= header.fingerprintOffset;
}

}  // namespace

Result<ContainerDirectory> parseContainerHead(ContainerNumber number, Bytes head, uint64_t fileBytes) {
  ContainerHeader header;
  if (head.size() < sizeof header) return corrupt(number, "the file is truncated");
  std::memcpy(&header, head.data(), sizeof header);
  if (auto checked = checkHeader(header, head, number, fileBytes); !checked) return fail(checked.error());

  const size_t directoryBytes = header.frameCount * sizeof(FrameEntry);
  if (head.size() < sizeof header + directoryBytes) return corrupt(number, "the file is truncated");
  const Bytes directoryPart = head.subspan(sizeof header, directoryBytes);
  if (checksum(directoryPart, number) != header.directoryChecksum) return corrupt(number, "the frame directory is damaged");

  ContainerDirectory directory{.number = number, .blockCount = header.blockCount, .fingerprintOffset = header.fingerprintOffset,
                               .fingerprintChecksum = header.fingerprintChecksum, .frames = std::vector<FrameEntry>(header.frameCount)};
  std::memcpy(directory.frames.data(), directoryPart.data(), directoryBytes);
  for (uint32_t frame = 0; frame < header.frameCount; ++frame)
    if (!isPossible(directory.frames[frame], header, frame))
      return fail(ErrorCode::Corrupt, fmt::format("container {}, frame {}: the directory entry is impossible", number, frame));
  return directory;
}

Result<std::vector<Fingerprint>> parseFingerprints(const ContainerDirectory& directory, Bytes bytes) {
  if (bytes.size() != directory.blockCount * sizeof(Fingerprint)) return corrupt(directory.number, "the file is truncated");
  if (checksum(bytes, directory.number) != directory.fingerprintChecksum) return corrupt(directory.number, "the fingerprint list is damaged");
  std::vector<Fingerprint> fingerprints(directory.blockCount);
  std::memcpy(fingerprints.data(), bytes.data(), bytes.size());
  return fingerprints;
}

Result<void> decodeFrame(const ContainerDirectory& directory, uint32_t frame, Bytes stored, MutableBytes into) {
  QUARRY_CHECK(frame < directory.frames.size());
  const FrameEntry& entry = directory.frames[frame];
  QUARRY_CHECK(stored.size() == entry.storedBytes && into.size() == entry.blockCount * blockBytes);
  const auto damaged = [&](std::string_view what) {
    return fail(ErrorCode::Corrupt, fmt::format("container {}, frame {}: {}", directory.number, frame, what));
  };
  if (checksum(stored, frameSeed(directory.number, frame)) != entry.checksum) return damaged("the checksum does not match");
  if (auto decoded = threadDecoder().decode(stored, entry.form, into); !decoded) return damaged(decoded.error().message);
  return {};
}

}  // namespace quarry::blockstore
