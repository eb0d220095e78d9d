// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/journal/group.h"

#include "engine/base/check.h"
#include "engine/base/checksum.h"

namespace quarry::journal {

namespace {
constexpr uint64_t fileBlocksMax = UINT64_MAX / blockBytes;

uint64_t seedOf(uint64_t ringId, uint64_t sequence) { return ringId ^ sequence; }

template <class T>
T load(Bytes bytes, uint64_t at = 0) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

uint64_t headChecksum(MutableBytes head, uint64_t seed) {
  std::memset(head.data() + offsetof(GroupHeader, headChecksum), 0, sizeof(uint64_t));
  return checksum(head, seed);
}

EntryHeader headerOf(const Entry& entry, uint64_t seed) {
  return {.fileid = entry.fileid,
          .firstBlock = entry.firstBlock,
          .sizeAfter = entry.sizeAfter,
          .before = entry.before,
          .kind = entry.kind,
          .blockCount = entry.blockCount(),
          .checksum = checksum(entry.data, seed)};
}

bool isPlausible(const EntryHeader& header) {
  switch (header.kind) {
    case EntryKind::Write:
      return header.blockCount > 0 && header.blockCount <= entryDataBytesMax / blockBytes && header.firstBlock <= fileBlocksMax - header.blockCount;
    case EntryKind::Landed: return header.blockCount > 0 && header.firstBlock <= fileBlocksMax - header.blockCount;
  }
  return false;
}
}  // namespace

void GroupWriter::add(const Entry& entry) {
  QUARRY_CHECK(hasRoom(1) && entry.data.size() % blockBytes == 0 && entry.data.size() <= entryDataBytesMax);
  QUARRY_CHECK((entry.kind == EntryKind::Write) == !entry.data.empty());
  m_entries.push_back(entry);
  m_dataBytes += entry.data.size();
}

AlignedBuffer GroupWriter::encode(uint64_t sequence) const {
  const uint64_t seed = seedOf(m_ringId, sequence);
  const uint64_t headBytes = groupHeadBytes(static_cast<uint32_t>(m_entries.size()));
  AlignedBuffer group(headBytes + m_dataBytes);
  std::memset(group.data(), 0, headBytes);
  uint64_t headAt = sizeof(GroupHeader), dataAt = headBytes;
  for (const Entry& entry : m_entries) {
    const EntryHeader header = headerOf(entry, seed);
    std::memcpy(group.data() + headAt, &header, sizeof header);
    headAt += sizeof header;
    if (entry.data.empty()) continue;
    std::memcpy(group.data() + dataAt, entry.data.data(), entry.data.size());
    dataAt += entry.data.size();
  }
  GroupHeader header{.magic = groupMagic,
                     .ringId = m_ringId,
                     .sequence = sequence,
                     .entryCount = static_cast<uint32_t>(m_entries.size()),
                     .headBytes = static_cast<uint32_t>(headBytes),
                     .dataBytes = m_dataBytes,
                     .headChecksum = 0};
  std::memcpy(group.data(), &header, sizeof header);
  header.headChecksum = headChecksum(group.bytes().first(headBytes), seed);
  std::memcpy(group.data(), &header, sizeof header);
  return group;
}

std::optional<GroupShape> parseGroupShape(uint64_t ringId, Bytes firstBlock) {
  if (firstBlock.size() < sizeof(GroupHeader)) return std::nullopt;
  const auto header = load<GroupHeader>(firstBlock);
  if (header.magic != groupMagic || header.ringId != ringId) return std::nullopt;
  if (header.entryCount == 0 || header.entryCount > groupEntriesMax || header.headBytes != groupHeadBytes(header.entryCount)) return std::nullopt;
  if (header.dataBytes % blockBytes != 0 || header.headBytes + header.dataBytes > groupBytesMax) return std::nullopt;
  return GroupShape{.sequence = header.sequence, .headBytes = header.headBytes, .dataBytes = header.dataBytes};
}

Result<std::vector<ParsedEntry>> parseGroup(uint64_t ringId, Bytes bytes) {
  const auto shape = parseGroupShape(ringId, bytes);
  if (!shape || bytes.size() != shape->bytes()) return fail(ErrorCode::Corrupt, "no group header");
  const uint64_t seed = seedOf(ringId, shape->sequence);
  const auto header = load<GroupHeader>(bytes);
  AlignedBuffer head(shape->headBytes);
  std::memcpy(head.data(), bytes.data(), shape->headBytes);
  if (headChecksum(head.bytes(), seed) != header.headChecksum) return fail(ErrorCode::Corrupt, "the checksum of a group's head does not match");
  std::vector<ParsedEntry> entries;
  entries.reserve(header.entryCount);
  uint64_t dataAt = shape->headBytes;
  for (uint32_t i = 0; i < header.entryCount; ++i) {
    const auto entry = load<EntryHeader>(bytes, sizeof(GroupHeader) + i * sizeof(EntryHeader));
    const uint64_t dataBytes = entry.kind == EntryKind::Write ? uint64_t{entry.blockCount} * blockBytes : 0;
    if (!isPlausible(entry) || dataBytes > bytes.size() - dataAt) return fail(ErrorCode::Corrupt, "a group's entry is out of bounds");
    const Bytes data = bytes.subspan(dataAt, dataBytes);
    dataAt += dataBytes;
    entries.push_back({.entry = {entry.kind, entry.fileid, entry.firstBlock, entry.sizeAfter, entry.before, data,
                                 entry.kind == EntryKind::Landed ? entry.blockCount : 0},
                       .isDamaged = checksum(data, seed) != entry.checksum});
  }
  if (dataAt != bytes.size()) return fail(ErrorCode::Corrupt, "a group is longer than its entries");
  return entries;
}

AlignedBuffer encodeCheckpoint(const Checkpoint& checkpoint) {
  AlignedBuffer block(blockBytes);
  block.clear();
  CheckpointHeader header{.magic = checkpointMagic,
                          .version = journalVersion,
                          .filledMib = static_cast<uint32_t>(checkpoint.filledBytes >> 20),
                          .ringId = checkpoint.ringId,
                          .areaBytes = checkpoint.areaBytes,
                          .count = checkpoint.count,
                          .sequence = checkpoint.sequence,
                          .position = checkpoint.position,
                          .checksum = 0};
  header.checksum = checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(CheckpointHeader, checksum)));
  std::memcpy(block.data(), &header, sizeof header);
  return block;
}

Result<Checkpoint> parseCheckpoint(Bytes block) {
  if (block.size() < sizeof(CheckpointHeader)) return fail(ErrorCode::Corrupt, "the journal is too short");
  const auto header = load<CheckpointHeader>(block);
  if (header.magic != checkpointMagic) return fail(ErrorCode::Corrupt, "the journal has no checkpoint");
  if (checksum(block.first(offsetof(CheckpointHeader, checksum))) != header.checksum)
    return fail(ErrorCode::Corrupt, "the checksum of a journal checkpoint does not match");
  if (header.version > journalVersion) return fail(ErrorCode::VersionTooNew, "the journal was written by a newer Quarry");
  if (header.areaBytes < areaBytesMin || header.areaBytes % blockBytes != 0 || header.position >= header.areaBytes || header.position % blockBytes != 0)
    return fail(ErrorCode::Corrupt, "a journal checkpoint is out of bounds");
  return Checkpoint{.ringId = header.ringId,
                    .areaBytes = header.areaBytes,
                    .filledBytes = uint64_t{header.filledMib} << 20,
                    .count = header.count,
                    .sequence = header.sequence,
                    .position = header.position};
}

}  // namespace quarry::journal
