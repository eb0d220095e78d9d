// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what a journal file holds at the start of the engine: every valid group from the checkpoint on, in order (journal_format.h).
//
// Threads: one coroutine. Ownership: the file outlives the reader. Failure: Corrupt or Lost when there is no valid checkpoint: then nothing
// can be said about the journal's entries. Damage behind it is no failure: it is told to the visitor with what it covers, and what follows is
// read all the same.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/result.h"
#include "engine/journal/group.h"
#include "engine/os/file.h"

namespace quarry::journal {

// Where writing goes on.
struct ReplayEnd {
  Checkpoint checkpoint;
  uint64_t nextSequence = 1;
  uint64_t nextPosition = 0;
  struct Place {
    uint64_t sequence = 0, position = 0, bytes = 0;
  };
  std::vector<Place> groups;  // that are still in the ring, in order
};

struct ReplayVisitor {
  // `sequence`: of the entry's group. The data is gone when the call returns.
  std::function<void(uint64_t sequence, const Entry& entry)> onEntry;
  // An entry whose data is damaged: its writes were acknowledged and are lost.
  std::function<void(uint64_t sequence, const Entry& entry)> onDamagedEntry;
  // Whole groups that cannot be read, though later ones can: what they held is not known.
  std::function<void(uint64_t firstSequence, uint64_t lastSequence)> onLostGroups;
};

class JournalReader {
 public:
  explicit JournalReader(os::File& file) : m_file(file) {}
  Task<Result<ReplayEnd>> replay(ReplayVisitor visitor);
  Task<Result<uint64_t>> ringId();

 private:
  enum class Step { Went, Ended };
  Task<Result<void>> readCheckpoint(ReplayEnd& end);
  struct Group {
    uint64_t sequence = 0, bytes = 0;
    std::vector<ParsedEntry> entries;  // in the window
    bool isDamaged() const {
      return std::any_of(entries.begin(), entries.end(), [](const ParsedEntry& parsed) { return parsed.isDamaged; });
    }
  };
  Task<Result<Step>> readGroup(ReplayEnd& end, const ReplayVisitor& visitor, uint64_t position);
  Task<Result<Step>> skipDamage(ReplayEnd& end, const ReplayVisitor& visitor);
  Task<Result<std::optional<Group>>> groupAt(uint64_t position);
  Task<Result<bool>> isLastGroup(uint64_t sequence, uint64_t behind);
  Task<Result<Bytes>> window(uint64_t position, uint64_t bytes);

  os::File& m_file;
  AlignedBuffer m_buffer;              // a window of the area, read ahead
  uint64_t m_from = 0, m_to = 0;       // of the window, in the area
  uint64_t m_areaBytes = 0, m_ringId = 0;  // the former as far as the file goes
};

}  // namespace quarry::journal
