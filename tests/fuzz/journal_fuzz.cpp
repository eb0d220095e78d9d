// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a group and as checkpoints of a journal: the parsers must answer, never crash, and hand out nothing outside the bytes. Half of
// the inputs get their head checksum put right, so that the checks behind it are reached.
#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/checksum.h"
#include "engine/journal/group.h"

using namespace quarry;
using namespace quarry::journal;

namespace {
constexpr uint64_t ringId = 42;

void repairChecksum(std::vector<std::byte>& group) {
  const auto shape = parseGroupShape(ringId, group);
  if (!shape || group.size() < shape->headBytes) return;
  std::byte* field = group.data() + offsetof(GroupHeader, headChecksum);
  storeLittle<uint64_t>(field, 0);
  storeLittle<uint64_t>(field, checksum(Bytes(group).first(shape->headBytes), ringId ^ shape->sequence));
}

void parse(Bytes bytes) {
  (void)parseCheckpoint(bytes);
  const auto entries = parseGroup(ringId, bytes);
  if (!entries) return;
  for (const ParsedEntry& parsed : *entries) {
    const Bytes data = parsed.entry.data;
    if (!data.empty()) QUARRY_CHECK(data.data() >= bytes.data() && data.data() + data.size() <= bytes.data() + bytes.size());
  }
}

std::string madeGroup(uint32_t entryCount) {
  AlignedBuffer block(2 * blockBytes);
  block.clear();
  GroupWriter writer(ringId);
  for (uint32_t i = 0; i < entryCount; ++i)
    writer.add({.kind = EntryKind::Write, .fileid = i + 1, .firstBlock = i, .sizeAfter = 1, .before = 0, .data = block.bytes().first(blockBytes << i % 2)});
  writer.add({.kind = EntryKind::Landed, .fileid = 1, .firstBlock = 0, .sizeAfter = 5, .before = 1, .data = {}, .landedBlocks = 3});
  const AlignedBuffer bytes = writer.encode(7);
  return std::string(asText(bytes.bytes()));
}
}  // namespace

std::vector<std::string> fuzzSeeds() {
  const AlignedBuffer checkpoint = encodeCheckpoint({.ringId = ringId, .areaBytes = areaBytesMin, .count = 1, .sequence = 7, .position = 0});
  return {madeGroup(1), madeGroup(4), std::string(asText(checkpoint.bytes()))};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  parse(bytes);
  std::vector<std::byte> repaired(bytes.begin(), bytes.end());
  repairChecksum(repaired);
  parse(repaired);
  return 0;
}
