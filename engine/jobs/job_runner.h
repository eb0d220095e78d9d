// SPDX-License-Identifier: GPL-3.0-or-later
// Runs jobs one after the other, in the order they were submitted, and knows the last ones that ended. Who wants a job makes it;
// the runner knows none of the types.
//
// Threads: one of its own with its own io_context, the executor that jobs get; every method from any thread. The listener and the
// JobHistory are called on that thread.
// Failure: a job that fails, throws or is cancelled only ends itself. A history that cannot be saved is logged and the job goes on.
// Restart: jobs that the history still shows as queued or running come back as failed, "interrupted by a restart".
#pragma once

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/jobs/job.h"
#include "engine/jobs/rate_meter.h"
#include "engine/protocol/messages.h"

namespace quarry {

// Where jobs are remembered over restarts. save() is called when a job is queued, starts and ends, with the same id.
class JobHistory {
 public:
  virtual ~JobHistory() = default;
  virtual Result<void> save(const protocol::JobInfo& job) = 0;
  virtual Result<std::vector<protocol::JobInfo>> load() = 0;
};

struct JobRunnerOptions {
  size_t queuedMax = 32;
  size_t endedMax = 200;                               // kept for job.list
  std::chrono::milliseconds progressPeriod{500};       // between two progress reports of a job
};

class JobRunner {
 public:
  using Listener = std::function<void(const protocol::JobInfo&)>;  // each change of state, and progress; must not wait

  // Clock and history (may be null) outlive this.
  JobRunner(const Clock& clock, JobHistory* history, Listener listener, JobRunnerOptions options = {});
  ~JobRunner();
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  // Loads the history and starts the thread. Once.
  Result<void> start();
  // Stops the running job (it ends as interrupted), forgets the queue the same way, waits, ends the thread. Idempotent.
  void stop();

  // The request only describes the job. Busy: the queue is full.
  Result<protocol::JobInfo> submit(const protocol::JobStart& request, std::unique_ptr<Job> job);
  // NotFound; InvalidArgument when it has ended. A running job ends a little later.
  Result<protocol::JobInfo> cancel(int64_t id);
  Result<protocol::JobInfo> show(int64_t id) const;
  std::vector<protocol::JobInfo> list() const;  // newest first
  asio::any_io_executor executor() { return m_context.get_executor(); }

 private:
  struct Running {
    std::shared_ptr<JobContext> context;
    RateMeter rate;
    std::chrono::steady_clock::time_point since;
    bool cancelled = false;  // by a user, as opposed to stop()
  };
  struct Queued {
    int64_t id;
    std::unique_ptr<Job> job;
  };

  static Task<void> serve(JobRunner& runner);
  static Task<void> runOne(JobRunner& runner, Queued queued);
  static Task<void> reportProgress(JobRunner& runner, std::shared_ptr<JobContext> context, std::shared_ptr<asio::steady_timer> timer);
  static Task<Result<void>> guarded(Job& job, JobContext& context);

  void enqueue(const protocol::JobInfo& info, std::unique_ptr<Job> job);
  std::optional<Queued> takeQueued();
  std::shared_ptr<JobContext> begin(int64_t id);
  void end(int64_t id, const Result<void>& result);
  bool measure(const JobContext& context);  // false: that job does not run any more
  protocol::JobInfo current(const protocol::JobInfo& kept) const REQUIRES(m_mutex);
  void dropOldEnded() REQUIRES(m_mutex);
  void remember(const protocol::JobInfo& job);
  void announce(const protocol::JobInfo& job);
  void interruptQueued();

  const Clock& m_clock;
  JobHistory* const m_history;
  const Listener m_listener;
  const JobRunnerOptions m_options;

  asio::io_context m_context{1};
  asio::steady_timer m_wake;  // cancelled when the queue changed; job thread only
  std::thread m_thread;

  mutable Mutex m_mutex;
  std::map<int64_t, protocol::JobInfo> m_jobs GUARDED_BY(m_mutex);  // all known, by id
  std::deque<Queued> m_queue GUARDED_BY(m_mutex);
  std::optional<Running> m_running GUARDED_BY(m_mutex);
  int64_t m_runningId GUARDED_BY(m_mutex) = 0;
  int64_t m_nextId GUARDED_BY(m_mutex) = 1;
  bool m_stopping GUARDED_BY(m_mutex) = false;
};

}  // namespace quarry
