// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of the journal file STORE/journal/ring, a ring of fixed size. Its file begins short and grows in steps of zeros, synced before
// a group goes there: so the write of a group changes no file system metadata, and a large ring is made at once. All integers are
// little-endian; everything lies on 4 KiB.
//
//   ring       := checkpoint checkpoint area
//   checkpoint := CheckpointHeader (64 bytes) zeros up to 4096
//   area       := up to areaBytes bytes, in which groups lie one after another; one that does not fit before the end begins at 0
//   group      := GroupHeader EntryHeader × entryCount, zeros up to headBytes (a multiple of 4096), then the entries' data in order
//   data       := blockCount × 4096 bytes of a Write; none of a Landed
//
// A group is what one disk write (O_DIRECT, O_DSYNC) carries: all entries that came while the one before it was under way. It is written
// only after the one before it is on stable storage, so a power cut can tear the last group and no other.
//
// Valid is a checkpoint with magic, version and checksum right; of two valid ones the greater count counts. Valid is a group at a position if
// its header has the magic, the ring's id and the expected sequence, counts within their limits, a length that ends inside the area,
// and its head matches headChecksum (seed: ring id ^ sequence). An entry is valid if its data matches its own checksum (same seed).
//
// Replay starts at the checkpoint's position with its sequence and goes on while the next group is valid, at the end of the last one or at 0.
// What follows is: nothing (the end of the journal, or a torn last group, whose writers got no answer), or a group of a greater
// sequence, and then what lies between is damage. The ring's id is random and part of every seed: a guest that has a journal of its own in
// its disk cannot be taken for a group.
//
// A Write holds blocks of a file that landing files may not hold yet. A Landed says that its blocks are on stable storage in the landing file as
// something newer than the entries before the sequence `before`: what those hold of them must not come back. Entries of a file before
// its journal floor (a column of namespace.db, raised by each shortening) are void, and so are those of files that are gone.
//
// Order: data that is needed no more is forgotten by writing a checkpoint; only then may groups be written over it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/base/bytes.h"

namespace quarry::journal {

inline constexpr uint64_t checkpointMagic = 0x3150'434a'5952'5551;  // "QURYJCP1"
inline constexpr uint64_t groupMagic = 0x3152'474a'5952'5551;       // "QURYJGR1"
inline constexpr uint32_t journalVersion = 1;

inline constexpr uint64_t areaOffset = 2 * blockBytes;
inline constexpr uint64_t fillStepBytes = 32 << 20;                 // of zeros at once
inline constexpr uint64_t groupDataBytesMax = 4 << 20;              // a group takes no entry more once it holds that much
inline constexpr uint64_t entryDataBytesMax = (1 << 20) + blockBytes;  // a WRITE of 1 MiB that begins inside a block
inline constexpr uint32_t groupEntriesMax = 1024;
inline constexpr uint32_t appendEntriesMax = 256;                   // appended together

struct CheckpointHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t filledMib;  // of the area are in the file at least
  uint64_t ringId;
  uint64_t areaBytes;
  uint64_t count;      // grows with every checkpoint; odd ones lie in the second place
  uint64_t sequence;   // of the first group that replay needs
  uint64_t position;   // of that group in the area
  uint64_t checksum;   // of the 56 bytes before it
};
static_assert(sizeof(CheckpointHeader) == 64 && std::is_trivially_copyable_v<CheckpointHeader>);

struct GroupHeader {
  uint64_t magic;
  uint64_t ringId;
  uint64_t sequence;
  uint32_t entryCount;
  uint32_t headBytes;
  uint64_t dataBytes;
  uint64_t headChecksum;  // of headBytes, with this field zero
};
static_assert(sizeof(GroupHeader) == 48 && std::is_trivially_copyable_v<GroupHeader>);

enum class EntryKind : uint32_t { Write = 1, Landed = 2 };

struct EntryHeader {
  uint64_t fileid;
  uint64_t firstBlock;   // of the file
  uint64_t sizeAfter;    // at least as long is the file after it
  uint64_t before;       // Landed: entries with a smaller sequence are void where it covers them
  EntryKind kind;
  uint32_t blockCount;
  uint64_t checksum;     // of the data; of a Landed, of nothing
};
static_assert(sizeof(EntryHeader) == 48 && std::is_trivially_copyable_v<EntryHeader>);

constexpr uint64_t groupHeadBytes(uint32_t entryCount) { return alignUp(sizeof(GroupHeader) + uint64_t{entryCount} * sizeof(EntryHeader), blockBytes); }
inline constexpr uint64_t groupBytesMax = groupHeadBytes(groupEntriesMax) + groupDataBytesMax + entryDataBytesMax;
inline constexpr uint64_t areaBytesMin = alignUp(4 * groupBytesMax, 1 << 20);

}  // namespace quarry::journal
