// SPDX-License-Identifier: GPL-3.0-or-later
// One piece of long work that the engine does: optimize, garbage collection, scrub, … A Job is made ready to run, runs once on the
// JobRunner's executor and is then thrown away; what it found is in its JobContext.
//
// Threads: run() starts on the runner's own thread; it may go to pools (onPool) and io_contexts and comes back by itself. Members of
// JobContext are safe from any thread.
// Failure: run() returns an Error, Cancelled when it saw the stop token. What it did until then stays valid: every step of a job is safe on its own.
#pragma once

#include <asio/any_io_executor.hpp>
#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/protocol/messages.h"

namespace quarry {

// Names and meanings as in protocol::JobInfo.
struct JobProgress {
  std::atomic<uint64_t> bytesTotal{0}, bytesDone{0};
  std::atomic<uint64_t> filesSeen{0}, filesSkipped{0}, segmentsSkipped{0};
  std::atomic<uint64_t> zeroBytes{0}, duplicateBytes{0}, newBytes{0}, storedBytes{0};
  std::atomic<uint64_t> freedBytes{0};
};

class JobContext {
 public:
  static constexpr size_t linesMax = 50;  // of each kind

  JobContext(int64_t id, asio::any_io_executor executor) : m_id(id), m_executor(std::move(executor)) {}

  int64_t id() const { return m_id; }
  asio::any_io_executor executor() const { return m_executor; }
  // Asked between steps, often enough that a cancel is felt within a second.
  std::stop_token stopToken() const { return m_stop.get_token(); }
  void requestStop() { m_stop.request_stop(); }

  JobProgress progress;
  void setCurrentFile(std::string path);
  // One line for the report: what was skipped and why.
  void note(std::string line);
  // One that needs somebody's attention: damage, failures. It comes before the notes, and no number of them pushes it out.
  void problem(std::string line);

  // Copies everything above into the job's description.
  void fill(protocol::JobInfo& info) const;

 private:
  struct Lines {
    std::vector<std::string> kept;
    uint64_t droppedCount = 0;

    void add(std::string line);
    uint64_t count() const { return kept.size() + droppedCount; }
    // The kept ones, each after `prefix`, and one that counts the rest.
    void appendTo(std::vector<std::string>& all, const std::string& prefix) const;
  };

  const int64_t m_id;
  const asio::any_io_executor m_executor;
  std::stop_source m_stop;

  mutable Mutex m_mutex;
  std::string m_currentFile GUARDED_BY(m_mutex);
  Lines m_problems GUARDED_BY(m_mutex), m_notes GUARDED_BY(m_mutex);
};

class Job {
 public:
  virtual ~Job() = default;
  virtual Task<Result<void>> run(JobContext& context) = 0;
};

}  // namespace quarry
