// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/container_reader.h"

#include <fmt/core.h>

namespace quarry::blockstore {

Task<Result<std::shared_ptr<ContainerReader>>> ContainerReader::open(os::FileSystem& fileSystem, const std::string& folder,
                                                                     ContainerNumber number,
                                                                     std::shared_ptr<const ContainerDirectory> known) {
  auto file = fileSystem.open(containerPath(folder, number), os::OpenMode::ReadOnly, os::CacheMode::Direct);
  if (!file) {
    const bool missing = file.error().code == ErrorCode::NotFound || file.error().code == ErrorCode::Lost;
    if (missing) co_return fail(ErrorCode::Lost, fmt::format("container {} is missing ({})", number, containerPath(folder, number)));
    co_return fail(file.error());
  }
  std::shared_ptr<ContainerReader> reader(new ContainerReader(number, std::move(*file)));
  if (!known) {
    auto directory = co_await reader->readDirectory();
    if (!directory) co_return fail(directory.error());
    known = std::move(*directory);
  }
  reader->m_directory = std::move(known);
  co_return reader;
}

Task<Result<std::shared_ptr<const ContainerDirectory>>> ContainerReader::readDirectory() {
  const auto size = m_file->size();
  if (!size) co_return fail(size.error());
  AlignedBuffer head(containerHeadBytesMax);
  const auto count = co_await m_file->readAt(0, head.bytes());
  if (!count) co_return fail(count.error());
  auto directory = parseContainerHead(m_number, head.bytes().first(*count), *size);
  if (!directory) co_return fail(directory.error());
  co_return std::make_shared<const ContainerDirectory>(std::move(*directory));
}

Task<Result<void>> ContainerReader::readAligned(uint64_t offset, MutableBytes into) {
  const auto count = co_await m_file->readAt(offset, into);
  if (!count) co_return fail(count.error());
  if (*count < into.size()) co_return fail(ErrorCode::Corrupt, fmt::format("container {}: the file is truncated", m_number));
  co_return Result<void>{};
}

Task<Result<std::vector<Fingerprint>>> ContainerReader::fingerprints() {
  const uint64_t from = m_directory->fingerprintOffset;
  const uint64_t length = m_directory->blockCount * sizeof(Fingerprint);
  const uint64_t alignedFrom = alignDown(from, blockBytes);
  AlignedBuffer buffer(alignUp(from + length, blockBytes) - alignedFrom);
  auto read = co_await readAligned(alignedFrom, buffer.bytes());
  if (!read) co_return fail(read.error());
  co_return parseFingerprints(*m_directory, buffer.bytes().subspan(from - alignedFrom, length));
}

}  // namespace quarry::blockstore
