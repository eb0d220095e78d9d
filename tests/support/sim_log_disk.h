// SPDX-License-Identifier: GPL-3.0-or-later
// One simulated disk behind everything a store keeps: an os::FileSystem for its own files, and the synchronous calls that the SQLite door
// (sim_sqlite.h) uses for its databases. It keeps a log of every change, so that a power cut can be tried at each place of it afterwards.
//
// Threads: safe from any. While the gate is closed, changes of all threads but the one that closed it wait: so the order of changes does not
// depend on how threads are scheduled, as long as one thing at a time is under way.
// Ownership: files and databases opened here must be closed before it goes. Paths begin with root(), which is this disk's alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/os/file.h"
#include "tests/support/sim_medium.h"

namespace quarry::test {

class SimLogDisk : public os::FileSystem {
 public:
  explicit SimLogDisk(SimMedium contents);
  ~SimLogDisk() override;

  const std::string& root() const { return m_root; }
  // The disk with this path's root; null when there is none.
  static SimLogDisk* of(const std::string& path);

  Result<std::unique_ptr<os::File>> open(const std::string& path, os::OpenMode mode, os::CacheMode cache) override;
  Result<void> remove(const std::string& path) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> makeDirectories(const std::string& path) override;  // folders are always there
  Result<void> syncDirectory(const std::string& path) override;
  Result<std::vector<os::FileInfo>> list(const std::string& path) override;
  Result<os::DiskSpace> space(const std::string& path) override;
  Result<std::string> readFile(const std::string& path) override;
  Result<void> replaceFile(const std::string& path, const std::string& text) override;

  // --- for SQLite, and for the files opened above
  bool exists(const std::string& path) const;
  // The file's number; nothing when it is missing and must not be made.
  std::optional<uint64_t> openNode(const std::string& path, bool mayCreate, bool* isNew = nullptr);
  uint64_t readNode(uint64_t node, uint64_t offset, MutableBytes into) const;
  void writeNode(uint64_t node, uint64_t offset, Bytes data);
  void hardenNode(uint64_t node, uint64_t offset, uint64_t length);
  void syncNode(uint64_t node);
  void punchNode(uint64_t node, os::ByteRange range);
  void resizeNode(uint64_t node, uint64_t size);
  uint64_t sizeOf(uint64_t node) const;
  std::vector<os::ByteRange> dataRanges(uint64_t node, uint64_t from, uint64_t to) const;
  uint64_t allocatedBytes(uint64_t node) const;

  // --- for the driver
  void mark(uint64_t number);
  void closeGate();
  void openGate();
  std::vector<DiskEvent> log() const;
  SimMedium contents() const;

 private:
  void record(DiskEvent event);
  void recordLocked(DiskEvent event);
  class Change;  // holds the lock, and the gate open
  std::string relative(const std::string& path) const;

  const std::string m_root;
  // The gate is spun at: it closes for the length of one handler, tens of thousands of times a second.
  std::atomic<std::thread::id> m_gateCloser{};
  std::atomic<int> m_changesUnderWay = 0;
  mutable std::mutex m_mutex;
  SimMedium m_contents;
  std::vector<DiskEvent> m_log;
};

}  // namespace quarry::test
