// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/optimize_job.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace quarry {
namespace {

class ContextMonitor : public dedup::JobMonitor {
 public:
  explicit ContextMonitor(JobContext& context) : m_context(context), m_stop(context.stopToken()) {}

  bool stopRequested() const override { return m_stop.stop_requested(); }
  void setCurrentFile(std::string path) override { m_context.setCurrentFile(std::move(path)); }
  void note(std::string line) override { m_context.note(std::move(line)); }
  void problem(std::string line) override { m_context.problem(std::move(line)); }
  void add(dedup::Counter counter, uint64_t by) override { of(counter) += by; }

 private:
  std::atomic<uint64_t>& of(dedup::Counter counter) {
    JobProgress& progress = m_context.progress;
    switch (counter) {
      case dedup::Counter::BytesTotal: return progress.bytesTotal;
      case dedup::Counter::BytesDone: return progress.bytesDone;
      case dedup::Counter::FilesSeen: return progress.filesSeen;
      case dedup::Counter::FilesSkipped: return progress.filesSkipped;
      case dedup::Counter::SegmentsSkipped: return progress.segmentsSkipped;
      case dedup::Counter::ZeroBytes: return progress.zeroBytes;
      case dedup::Counter::DuplicateBytes: return progress.duplicateBytes;
      case dedup::Counter::NewBytes: return progress.newBytes;
      case dedup::Counter::StoredBytes: return progress.storedBytes;
      case dedup::Counter::FreedBytes: break;
    }
    return progress.freedBytes;
  }

  JobContext& m_context;
  const std::stop_token m_stop;
};

}  // namespace

Task<Result<void>> OptimizeJob::run(JobContext& context) {
  ContextMonitor monitor(context);
  dedup::Selection selection{.vstorage = m_request.vstorage, .vm = m_request.vm, .path = m_request.path};
  std::optional<std::chrono::seconds> minAge;  // a larger one than this would overflow; the optimizer takes both as "never"
  if (m_request.minAgeSeconds) minAge = std::chrono::seconds(std::min<uint64_t>(*m_request.minAgeSeconds, INT32_MAX * uint64_t{1000}));
  dedup::Optimizer optimizer(m_parts, std::move(selection), minAge, monitor);
  co_return co_await optimizer.run();
}

}  // namespace quarry
