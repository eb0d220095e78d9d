// SPDX-License-Identifier: GPL-3.0-or-later
// A journal on a simulated disk, and what a replay of it says. For tests of engine/journal.
#pragma once

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/journal/journal.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_file_system.h"

namespace quarry::journal {

// Blocks whose content tells file, block and version.
class MadeBlocks {
 public:
  MadeBlocks(uint64_t fileid, uint64_t firstBlock, uint32_t count, uint64_t version) : m_buffer(count * blockBytes) {
    for (uint64_t at = 0; at < m_buffer.size(); at += 8)
      storeLittle<uint64_t>(m_buffer.data() + at, fileid * 1'000'003 + (firstBlock + at / blockBytes) * 1009 + version * 7919 + at % blockBytes);
  }
  Bytes bytes() const { return m_buffer.bytes(); }

 private:
  AlignedBuffer m_buffer;
};

inline Entry writeOf(uint64_t fileid, uint64_t firstBlock, const MadeBlocks& blocks) {
  const uint64_t sizeAfter = firstBlock * blockBytes + blocks.bytes().size();
  return {.kind = EntryKind::Write, .fileid = fileid, .firstBlock = firstBlock, .sizeAfter = sizeAfter, .before = 0, .data = blocks.bytes()};
}

// What a replay told.
struct Replayed {
  std::vector<Entry> entries;  // without data
  std::map<std::pair<uint64_t, uint64_t>, std::vector<std::byte>> blocks;  // by file and block: the newest
  std::vector<Entry> damaged;
  std::vector<std::pair<uint64_t, uint64_t>> lost;
  uint64_t firstSequence = 0;

  ReplayVisitor visitor() {
    return {.onEntry =
                [this](uint64_t sequence, const Entry& entry) {
                  if (entries.empty()) firstSequence = sequence;
                  for (uint32_t i = 0; i < entry.blockCount(); ++i) {
                    const Bytes block = entry.data.subspan(i * blockBytes, blockBytes);
                    blocks[{entry.fileid, entry.firstBlock + i}].assign(block.begin(), block.end());
                  }
                  entries.push_back(entry);
                  entries.back().data = {};
                },
            .onDamagedEntry = [this](uint64_t, const Entry& entry) { damaged.push_back(entry); },
            .onLostGroups = [this](uint64_t first, uint64_t last) { lost.emplace_back(first, last); }};
  }
};

class JournalSite {
 public:
  test::SimFileSystem fileSystem;
  std::unique_ptr<Journal> journal;
  Replayed replayed;
  int fullCount = 0;
  std::vector<Error> failures;
  uint64_t areaBytes = areaBytesMin;

  Result<void> open() {
    journal.reset();
    replayed = {};
    Journal::Options options{.folder = "journal", .areaBytes = areaBytes, .onFull = [this] { ++fullCount; if (whenFull) whenFull(); },
                             .onFailed = [this](const Error& error) { failures.push_back(error); }};
    auto opened = test::runTask(Journal::open(fileSystem, std::move(options), replayed.visitor()));
    if (!opened) return fail(opened.error());
    journal = std::move(*opened);
    return {};
  }
  Result<uint64_t> append(const Entry& entry) { return test::runTask(journal->append({&entry, 1})); }
  // The bytes of the ring file, to damage.
  std::vector<std::byte>& ring() { return *fileSystem.bytes("journal/ring"); }

  std::function<void()> whenFull;
};

}  // namespace quarry::journal
