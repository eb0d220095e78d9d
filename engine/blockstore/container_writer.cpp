// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/container_writer.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/base/check.h"
#include "engine/base/checksum.h"
#include "engine/blockstore/parallel.h"

namespace quarry::blockstore {
namespace {
constexpr uint32_t pieceFrames = 64;  // one task of the pool: about 2 ms
}

ContainerWriter::ContainerWriter(ContainerNumber number, AlignedBuffer buffer) : m_number(number), m_file(std::move(buffer)) {
  if (m_file.size() != containerFileBytesMax) m_file = AlignedBuffer(containerFileBytesMax);
  m_fingerprints.reserve(containerBlocksMax);
  m_levels.reserve(containerFramesMax);
}

PhysicalBlock ContainerWriter::append(const Fingerprint& fingerprint, Bytes block, int level) {
  QUARRY_CHECK(!isFull() && block.size() == blockBytes);
  const size_t index = m_fingerprints.size();
  std::memcpy(m_file.data() + containerHeadBytesMax + index * blockBytes, block.data(), blockBytes);
  if (index % frameBlocksMax == 0) m_levels.push_back(level);
  m_fingerprints.push_back(fingerprint);
  return m_number * metadata::containerBlocks + index;
}

// Each frame stays where its raw blocks stood, so that the pieces need not know of each other.
void ContainerWriter::compressPiece(size_t piece) {
  std::array<std::byte, frameBytesMax> compressed;
  const uint32_t end = std::min(frameCount(), static_cast<uint32_t>(piece + 1) * pieceFrames);
  for (uint32_t frame = static_cast<uint32_t>(piece) * pieceFrames; frame < end; ++frame) {
    const uint32_t blockCount = std::min(frameBlocksMax, static_cast<uint32_t>(m_fingerprints.size()) - frame * frameBlocksMax);
    const uint64_t offset = containerHeadBytesMax + uint64_t{frame} * frameBytesMax;
    const MutableBytes place = m_file.bytes().subspan(offset, blockCount * blockBytes);
    const EncodedFrame encoded = threadEncoder().encode(place, m_levels[frame], compressed);
    if (encoded.form != FrameForm::Raw) std::memcpy(place.data(), compressed.data(), encoded.storedBytes);
    m_entries[frame] = {.offset = static_cast<uint32_t>(offset), .storedBytes = static_cast<uint16_t>(encoded.storedBytes),
                        .blockCount = static_cast<uint8_t>(blockCount), .form = encoded.form,
                        .checksum = checksum(place.first(encoded.storedBytes), frameSeed(m_number, frame))};
  }
}

// Moves the frames together, adds the fingerprints and the head; returns the file's length.
uint64_t ContainerWriter::assemble() {
  uint64_t end = containerHeadBytes(frameCount());
  for (FrameEntry& entry : m_entries) {
    std::memmove(m_file.data() + end, m_file.data() + entry.offset, entry.storedBytes);
    entry.offset = static_cast<uint32_t>(end);
    end += entry.storedBytes;
  }
  const uint64_t fingerprintOffset = end;
  std::memcpy(m_file.data() + end, m_fingerprints.data(), m_fingerprints.size() * sizeof(Fingerprint));
  end += m_fingerprints.size() * sizeof(Fingerprint);
  const uint64_t fileBytes = alignUp(end, blockBytes);
  std::memset(m_file.data() + end, 0, fileBytes - end);
  writeHead(fingerprintOffset, fileBytes);
  return fileBytes;
}

void ContainerWriter::writeHead(uint64_t fingerprintOffset, uint64_t fileBytes) {
  const Bytes directory = std::as_bytes(std::span(m_entries));
  const Bytes fingerprints = std::as_bytes(std::span(m_fingerprints));
  ContainerHeader header{.magic = containerMagic, .version = containerVersion, .frameCount = frameCount(), .number = m_number,
                         .blockCount = static_cast<uint32_t>(m_fingerprints.size()),
                         .fingerprintOffset = static_cast<uint32_t>(fingerprintOffset), .fileBytes = fileBytes,
                         .directoryChecksum = checksum(directory, m_number), .fingerprintChecksum = checksum(fingerprints, m_number),
                         .headerChecksum = 0};
  header.headerChecksum = checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(ContainerHeader, headerChecksum)));
  std::memset(m_file.data(), 0, containerHeadBytes(frameCount()));
  std::memcpy(m_file.data(), &header, sizeof header);
  std::memcpy(m_file.data() + sizeof header, directory.data(), directory.size());
}

Task<Result<void>> ContainerWriter::store(os::FileSystem& fileSystem, const std::string& folder, uint64_t fileBytes) {
  auto file = fileSystem.open(containerPath(folder, m_number), os::OpenMode::CreateNew, os::CacheMode::Direct);
  if (!file) co_return fail(file.error());
  const uint64_t headBytes = containerHeadBytes(frameCount());
  const Bytes head = m_file.bytes().first(headBytes);
  const Bytes body = m_file.bytes().subspan(headBytes, fileBytes - headBytes);
  auto written = co_await (*file)->writeAt(headBytes, body, os::Durability::None);
  if (written) written = co_await (*file)->sync();
  if (written) written = co_await (*file)->writeAt(0, head, os::Durability::None);
  if (written) written = co_await (*file)->sync();
  if (written) written = fileSystem.syncDirectory(folder);
  if (!written) (void)fileSystem.remove(containerPath(folder, m_number));
  co_return written;
}

Task<Result<metadata::ContainerRow>> ContainerWriter::seal(os::FileSystem& fileSystem, std::string folder, asio::thread_pool& workers) {
  QUARRY_CHECK(!isEmpty());
  m_entries.resize(frameCount());
  auto compress = [this](size_t piece) { compressPiece(piece); };
  co_await forEachOnPool(workers, (frameCount() + pieceFrames - 1) / pieceFrames, compress);
  auto join = [this] { return assemble(); };
  const uint64_t fileBytes = co_await onPool(workers, join);
  auto stored = co_await store(fileSystem, folder, fileBytes);
  if (!stored) co_return fail(stored.error());
  co_return metadata::ContainerRow{.number = m_number, .frameCount = frameCount(),
                                   .blockCount = static_cast<uint32_t>(m_fingerprints.size()), .fileBytes = fileBytes,
                                   .rawBytes = m_fingerprints.size() * blockBytes};
}

}  // namespace quarry::blockstore
