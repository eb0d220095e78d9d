// SPDX-License-Identifier: GPL-3.0-or-later
// What a dedup job tells and asks whoever runs it: the layer of jobs adapts its job context to this, tests record it.
// Threads: all members may be called from any thread.
#pragma once

#include <cstdint>
#include <string>

namespace quarry::dedup {

// Names and meanings as in protocol::JobInfo.
enum class Counter {
  BytesTotal,
  BytesDone,
  FilesSeen,
  FilesSkipped,
  SegmentsSkipped,
  ZeroBytes,
  DuplicateBytes,
  NewBytes,
  StoredBytes,
  FreedBytes,
};

class JobMonitor {
 public:
  virtual ~JobMonitor() = default;
  virtual bool stopRequested() const = 0;
  virtual void setCurrentFile(std::string path) = 0;
  virtual void note(std::string line) = 0;     // for the report: what was skipped and why; once for many files alike
  virtual void problem(std::string line) = 0;  // for the report: what is damaged or failed, and needs somebody's attention
  virtual void add(Counter counter, uint64_t by) = 0;
};

}  // namespace quarry::dedup
