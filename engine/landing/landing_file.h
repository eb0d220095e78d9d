// SPDX-License-Identifier: GPL-3.0-or-later
// The landing file of one NFS file: STORE/landing/<xx>/<fileid>, sparse, O_DIRECT, made at the first write. Holds raw bytes as they
// were written and knows which blocks have landed. Its length means nothing: the size of the NFS file is the namespace's.
//
// Threads: every call from any coroutine on any io_context; whoever calls orders overlapping writes and punches (a RangeLock
// above). The map of landed blocks is rebuilt from the holes of the file at first use, on the worker pool.
// A landed bit is set only after its write finished, and cleared before its block is punched: so a set bit always means that the
// block's bytes are in the file. A reader takes punchCount() before it looks at the bits and compares it after its reads.
// Failure: a failed write or punch leaves its range old, new or a hole, per block; the bits of the range are taken from the disk again.
#pragma once

#include <array>
#include <asio/thread_pool.hpp>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/landing/landed_map.h"
#include "engine/os/file.h"

namespace quarry {

class LandingFile {
 public:
  // What all landing files of a store share; outlives them.
  struct Folder {
    os::FileSystem& fileSystem;
    std::string path;                       // STORE/landing
    asio::thread_pool& workers;
    std::atomic<uint64_t> openCount = 0;    // of files open now
    std::atomic<uint64_t> useTick = 0;      // order of last uses
  };

  LandingFile(Folder& folder, uint64_t fileid);
  ~LandingFile();
  LandingFile(const LandingFile&) = delete;
  LandingFile& operator=(const LandingFile&) = delete;

  static std::string pathOf(const std::string& folder, uint64_t fileid);  // <xx> is the low byte in hex, the name 16 hex digits

  // Rebuilds the map if the file is there, and leaves it closed; at once after the first success. Every other call REQUIRES it.
  Task<Result<void>> load();
  Result<void> loadBlocking();  // the same for worker threads
  bool isLoaded() const { return m_loaded.load(std::memory_order_acquire); }

  // Aligned range. Returns how many blocks landed anew.
  Task<Result<uint64_t>> write(uint64_t offset, Bytes data, os::Durability durability);
  // Aligned range up to the last landed block; holes read as zero.
  Task<Result<void>> read(uint64_t offset, MutableBytes into);
  // Aligned range, cut at the end of the landing file. Returns the bytes freed.
  Task<Result<uint64_t>> punch(os::ByteRange range);
  // Everything written so far, and the file's name, is on stable storage.
  Task<Result<void>> sync();
  bool isClean() const;  // nothing written since the last sync without Durable
  // Set for good by the first sync that the disk failed. A file that could not be opened, or memory that ran out, is no such failure:
  // what was to be synced still waits for it.
  std::optional<Error> syncFailure() const;

  LandedBlocks landed(uint32_t segment) const;
  std::vector<uint32_t> landedSegments() const;
  uint64_t landedCountIn(os::ByteRange range) const;
  uint64_t landedBytes() const;
  uint64_t landedEnd() const;                    // first byte after the last landed block
  uint64_t punchCount(uint32_t segment) const;   // of punches that touched the segment

  // For the table that bounds open files: closes the descriptor if nothing unsynced hangs on it. What is underway keeps it open.
  bool closeIfClean();
  bool isOpen() const;
  uint64_t lastUse() const { return m_lastUse.load(std::memory_order_relaxed); }

  // The NFS file is gone: no call makes the file again (Stale). removeBlocking() unlinks it, on a worker thread.
  void markRemoved() { m_removed.store(true); }
  bool isRemoved() const { return m_removed.load(); }
  Result<void> removeBlocking();

 private:
  enum class Missing { Make, Leave };
  // Null with Leave: there is no landing file.
  Task<Result<std::shared_ptr<os::File>>> file(Missing missing);
  Result<std::shared_ptr<os::File>> openBlocking(Missing missing);
  Result<void> loadMapBlocking(os::File& file);
  void noteSync(const Result<void>& synced);
  Result<void> syncNameBlocking();
  Task<Result<void>> syncName();
  Task<void> rereadMap(os::ByteRange range);
  std::string path() const { return pathOf(m_folder.path, m_fileid); }
  void use() { m_lastUse.store(m_folder.useTick.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed); }

  Folder& m_folder;
  const uint64_t m_fileid;
  std::atomic<bool> m_loaded = false;
  std::atomic<bool> m_removed = false;
  std::atomic<bool> m_nameDurable = false;    // the directory entry survives a power cut
  std::atomic<uint64_t> m_writesDone = 0;     // writes without Durable, and punches
  std::atomic<uint64_t> m_writesSynced = 0;   // of them, how many a sync covered
  std::atomic<uint64_t> m_lastUse = 0;

  Mutex m_openMutex;                          // held by worker threads only, over open and SEEK_DATA
  mutable Mutex m_mutex;
  std::shared_ptr<os::File> m_file GUARDED_BY(m_mutex);
  bool m_missing GUARDED_BY(m_mutex) = false; // looked for and not there
  LandedMap m_landed GUARDED_BY(m_mutex);
  std::optional<Error> m_syncFailure GUARDED_BY(m_mutex);
  // By segment number modulo the array's size: a punch elsewhere that shares the place costs a reader one repetition.
  std::array<uint64_t, 16> m_punchCounts GUARDED_BY(m_mutex){};
};

}  // namespace quarry
