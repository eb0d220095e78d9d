// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a container file: the parser must answer, never crash, and hand out nothing outside the file. Half of the inputs get their
// header and directory checksums put right, so that the checks behind them are reached.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/checksum.h"
#include "engine/blockstore/container_parser.h"
#include "engine/blockstore/container_writer.h"
#include "tests/support/made_blocks.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_file_system.h"

using namespace quarry;
using namespace quarry::blockstore;

namespace {

constexpr ContainerNumber number = 5;

void repairChecksums(std::vector<std::byte>& file) {
  ContainerHeader header;
  if (file.size() < sizeof header) return;
  std::memcpy(&header, file.data(), sizeof header);
  const uint64_t directoryBytes = uint64_t{header.frameCount} * sizeof(FrameEntry);
  if (directoryBytes > file.size() - sizeof header) return;
  header.fileBytes = file.size();
  header.directoryChecksum = checksum(Bytes(file).subspan(sizeof header, directoryBytes), number);
  header.headerChecksum = checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(ContainerHeader, headerChecksum)));
  std::memcpy(file.data(), &header, sizeof header);
}

void parse(Bytes file) {
  const auto directory = parseContainerHead(number, file.first(std::min<size_t>(file.size(), containerHeadBytesMax)), file.size());
  if (!directory) return;
  std::vector<std::byte> into(frameBytesMax);
  for (uint32_t frame = 0; frame < directory->frames.size(); ++frame) {
    const FrameEntry& entry = directory->frames[frame];
    QUARRY_CHECK(uint64_t{entry.offset} + entry.storedBytes <= file.size() && entry.blockCount <= frameBlocksMax);
    (void)decodeFrame(*directory, frame, file.subspan(entry.offset, entry.storedBytes), MutableBytes(into).first(entry.blockCount * blockBytes));
    // Also what stands behind the checksum: zstd with hostile bytes.
    (void)threadDecoder().decode(file.subspan(entry.offset, entry.storedBytes), entry.form, into);
  }
  QUARRY_CHECK(directory->fingerprintOffset + directory->blockCount * sizeof(Fingerprint) <= file.size());
  (void)parseFingerprints(*directory, file.subspan(directory->fingerprintOffset, directory->blockCount * sizeof(Fingerprint)));
}

std::string madeContainer(uint64_t blockCount) {
  test::SimFileSystem fileSystem;
  asio::thread_pool workers(1);
  ContainerWriter writer(number);
  Fingerprinter fingerprinter(test::madeKey());
  for (uint64_t i = 0; i < blockCount; ++i) {
    const auto block = test::madeBlocks({i + 1});
    writer.append(fingerprinter(block), block, 1);
  }
  QUARRY_CHECK(test::runTask(writer.seal(fileSystem, "c", workers)).has_value());
  return std::string(asText(*fileSystem.bytes("c/5.qc")));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::byte> file(reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
  parse(file);
  repairChecksums(file);
  parse(file);
  return 0;
}

std::vector<std::string> fuzzSeeds() { return {madeContainer(1), madeContainer(6), madeContainer(9)}; }
