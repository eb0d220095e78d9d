// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of journal entries ↔ bytes, and checkpoints ↔ bytes (journal_format.h). Plain functions over memory; safe from any thread.
// Failure of parsing: Corrupt with what is wrong; nothing outside the given bytes is read.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/journal/journal_format.h"

namespace quarry::journal {

// One change of a file. `data` of a Write is whole blocks and belongs to the caller.
struct Entry {
  EntryKind kind = EntryKind::Write;
  uint64_t fileid = 0;
  uint64_t firstBlock = 0;
  uint64_t sizeAfter = 0;
  uint64_t before = 0;        // Landed: what it voids
  Bytes data;                 // of a Write
  uint32_t landedBlocks = 0;  // of a Landed

  uint32_t blockCount() const { return kind == EntryKind::Write ? static_cast<uint32_t>(data.size() / blockBytes) : landedBlocks; }
};

// Collects entries until a group is full.
class GroupWriter {
 public:
  explicit GroupWriter(uint64_t ringId) : m_ringId(ringId) {}

  bool hasRoom(size_t entryCount) const { return m_entries.size() + entryCount <= groupEntriesMax && m_dataBytes < groupDataBytesMax; }
  uint32_t entryCount() const { return static_cast<uint32_t>(m_entries.size()); }
  // REQUIRES: hasRoom(1); the entry's data stays until encode().
  void add(const Entry& entry);
  uint64_t encodedBytes() const { return groupHeadBytes(static_cast<uint32_t>(m_entries.size())) + m_dataBytes; }
  AlignedBuffer encode(uint64_t sequence) const;

 private:
  const uint64_t m_ringId;
  std::vector<Entry> m_entries;
  uint64_t m_dataBytes = 0;
};

// What a group's first block says about its length.
struct GroupShape {
  uint64_t sequence = 0;
  uint64_t headBytes = 0, dataBytes = 0;
  uint64_t bytes() const { return headBytes + dataBytes; }
};

// From the first 4 KiB of a group. Nothing: no group header of this ring, or one whose counts are out of bounds.
std::optional<GroupShape> parseGroupShape(uint64_t ringId, Bytes firstBlock);

struct ParsedEntry {
  Entry entry;             // its data points into the parsed bytes
  bool isDamaged = false;  // the data does not match its checksum
};
// `bytes`: exactly the group, as its shape told.
Result<std::vector<ParsedEntry>> parseGroup(uint64_t ringId, Bytes bytes);

struct Checkpoint {
  uint64_t ringId = 0, areaBytes = 0;
  uint64_t filledBytes = 0;  // of the area, in whole MiB
  uint64_t count = 0;
  uint64_t sequence = 0, position = 0;
};
AlignedBuffer encodeCheckpoint(const Checkpoint& checkpoint);
// From one of the two places. VersionTooNew when a newer Quarry wrote it.
Result<Checkpoint> parseCheckpoint(Bytes block);

}  // namespace quarry::journal
