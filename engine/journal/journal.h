// SPDX-License-Identifier: GPL-3.0-or-later
// The write-ahead log of writes that are not in landing files yet: append() returns once the entry is on stable storage.
//
// Group commit without a timer: one disk write is under way at a time, and what arrives meanwhile goes out together with the next one
// (LevelDB does the same with a thread, https://github.com/google/leveldb; here it is a coroutine that lives as long as entries wait).
// Space is a ring: release() says which groups are needed no more. A full ring makes append() wait, after onFull asked for room.
//
// Threads: append(), release() and the figures from any coroutine or thread; the writing runs on its own executor, if it was given one.
// Ownership: close() waits for what is under way; nothing may be appended after it. Failure: a failed write or checkpoint is final. Whether
// its entries are on the disk is unknown: their append() and every later one fails, and onFailed is told once.
#pragma once

#include <asio/any_io_executor.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/journal/journal_reader.h"
#include "engine/os/file.h"

namespace quarry::journal {

struct JournalFigures {
  uint64_t areaBytes = 0;
  uint64_t usedBytes = 0;      // by groups that were not released
  uint64_t groupCount = 0;     // written since the start
  uint64_t entryCount = 0;
  uint64_t writtenBytes = 0;   // heads included
};

class Journal {
 public:
  struct Options {
    std::string folder;        // STORE/journal, or one on another disk; must be there
    uint64_t areaBytes = 0;    // of a ring that is made now; what is there keeps its size
    uint64_t firstSequence = 1;  // of a ring that is made now: above every journal floor
    std::optional<uint64_t> ringId = {};  // of the ring that must be there: without it, and without makeNew, opening fails
    bool makeNew = false;            // a ring that is gone, damaged or another's is replaced
    // Where the writing runs: a loop of its own keeps it from waiting behind requests. None: on the executor of whoever appends.
    std::optional<asio::any_io_executor> executor = {};
    std::function<void()> onFull;                  // called without a lock, from the writer
    std::function<void(const Error&)> onFailed;    // once
  };

  // Makes the ring if there is none, else replays it into the visitor.
  static Task<Result<std::unique_ptr<Journal>>> open(os::FileSystem& fileSystem, Options options, ReplayVisitor visitor);
  ~Journal();
  uint64_t ringId() const { return m_ringId; }

  // Durable when it returns: the sequence of their group, for release(). The entries and their data must stay until then. At most
  // appendEntriesMax, with entryDataBytesMax of data together. What is appended first has the smaller sequence, or the earlier place in a group.
  Task<Result<uint64_t>> append(std::span<const Entry> entries);
  // All groups before `sequence` are needed no more. Durable at the latest before their space is used again.
  void release(uint64_t sequence);
  // On return the next start replays nothing that was released before the call.
  Task<Result<void>> checkpoint();
  // The last checkpoint. After the last append().
  Task<Result<void>> close();
  // Of the oldest group that a start would replay now, needed or not.
  uint64_t firstReplayed() const;
  uint64_t firstNeeded() const;  // of the oldest group that was not released
  // The sequence that the next group will have: what is appended from now on is not older.
  uint64_t nextSequence() const;
  JournalFigures figures() const;

 private:
  struct Waiting;
  Journal(std::unique_ptr<os::File> file, Options options, ReplayEnd end);

  Task<Result<uint64_t>> wait(std::span<const Entry> entries);
  Task<void> writeGroups();
  std::deque<Waiting*> takeGroup(GroupWriter& group);
  Task<Result<uint64_t>> writeGroup(const GroupWriter& group);
  Task<Result<uint64_t>> findPlace(uint64_t bytes);
  bool isFilled(uint64_t upTo) const;
  bool isWriting() const;
  Task<Result<void>> grow(uint64_t upTo);
  Task<void> waitForRelease(uint64_t first);
  Task<Result<void>> writeCheckpoint();
  std::pair<uint64_t, uint64_t> oldestNeeded() const REQUIRES(m_mutex);  // sequence and position
  std::optional<uint64_t> placeBehind(uint64_t sequence, uint64_t head, uint64_t bytes) const REQUIRES(m_mutex);
  Error failed(const Error& error);

  const std::unique_ptr<os::File> m_file;
  const Options m_options;
  const uint64_t m_ringId;
  mutable Mutex m_mutex;
  Checkpoint m_checkpoint GUARDED_BY(m_mutex);                    // the durable one; filledBytes may be ahead of it
  uint64_t m_areaBytes GUARDED_BY(m_mutex);                       // less than wanted when the disk has no room
  std::deque<ReplayEnd::Place> m_groups GUARDED_BY(m_mutex);      // not released, in order
  uint64_t m_nextSequence GUARDED_BY(m_mutex);
  uint64_t m_nextPosition GUARDED_BY(m_mutex);
  uint64_t m_usedBytes GUARDED_BY(m_mutex) = 0;
  std::deque<Waiting*> m_waiting GUARDED_BY(m_mutex);
  bool m_isWriting GUARDED_BY(m_mutex) = false;
  std::function<void(bool)> m_wakeWriter GUARDED_BY(m_mutex);     // it waits for room
  std::optional<Error> m_failure GUARDED_BY(m_mutex);
  JournalFigures m_figures GUARDED_BY(m_mutex);
};

}  // namespace quarry::journal
