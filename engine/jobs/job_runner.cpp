// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/job_runner.h"

#include <algorithm>
#include <asio/post.hpp>
#include <exception>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/iso_time.h"
#include "engine/base/log.h"
#include "engine/base/spawn.h"
#include "engine/protocol/job_state.h"

namespace quarry {
namespace {

using protocol::JobInfo;
using protocol::JobState;

constexpr const char* interrupted = "interrupted by a restart";

bool hasEnded(const JobInfo& job) {
  return protocol::hasEnded(job.state);
}

std::string jobText(int64_t id) { return "job " + std::to_string(id); }

}  // namespace

JobRunner::JobRunner(const Clock& clock, JobHistory* history, Listener listener, JobRunnerOptions options)
    : m_clock(clock),
      m_history(history),
      m_listener(std::move(listener)),
      m_options(options),
      m_wake(m_context, asio::steady_timer::time_point::max()) {}

JobRunner::~JobRunner() { stop(); }

Result<void> JobRunner::start() {
  Result<std::vector<JobInfo>> known = m_history ? m_history->load() : std::vector<JobInfo>();
  if (!known) return fail(known.error());
  std::vector<JobInfo> cutOff;
  {
    Lock lock(m_mutex);
    for (JobInfo& job : *known) {
      if (!hasEnded(job)) {
        job.state = JobState::Failed;
        job.error = interrupted;
        job.endedAt = isoTime(m_clock.now());
        job.secondsLeft = job.bytesPerSecond = 0;
        cutOff.push_back(job);
      }
      m_nextId = std::max(m_nextId, job.id + 1);
      m_jobs.insert_or_assign(job.id, std::move(job));
    }
    dropOldEnded();
  }
  for (const JobInfo& job : cutOff) remember(job);
  spawn(m_context, serve(*this));
  m_thread = std::thread([this] { m_context.run(); });
  return {};
}

void JobRunner::stop() {
  if (!m_thread.joinable()) return;
  {
    Lock lock(m_mutex);
    m_stopping = true;
    if (m_running) m_running->context->requestStop();
  }
  asio::post(m_context, [this] { m_wake.cancel(); });
  m_thread.join();
}

Result<JobInfo> JobRunner::submit(const protocol::JobStart& request, std::unique_ptr<Job> job) {
  JobInfo info;
  {
    Lock lock(m_mutex);
    if (m_stopping) return fail(ErrorCode::Busy, "the engine is stopping");
    const auto queuedCount = std::count_if(m_jobs.begin(), m_jobs.end(), [](const auto& known) { return known.second.state == JobState::Queued; });
    if (static_cast<size_t>(queuedCount) >= m_options.queuedMax) return fail(ErrorCode::Busy, "too many jobs are waiting; cancel some or wait");
    info.id = m_nextId++;
    info.type = request.type;
    info.vstorage = request.vstorage;
    info.vm = request.vm;
    info.path = request.path;
    m_jobs.emplace(info.id, info);
  }
  asio::post(m_context, [this, info, job = std::move(job)]() mutable { enqueue(info, std::move(job)); });
  return info;
}

// On the job thread, so that a job is remembered as queued before it can be remembered as running.
void JobRunner::enqueue(const JobInfo& info, std::unique_ptr<Job> job) {
  {
    Lock lock(m_mutex);
    const auto found = m_jobs.find(info.id);
    if (found == m_jobs.end() || hasEnded(found->second)) return;
    m_queue.push_back({info.id, std::move(job)});
  }
  remember(info);
  announce(info);
  m_wake.cancel();
}

Result<JobInfo> JobRunner::cancel(int64_t id) {
  JobInfo info;
  {
    Lock lock(m_mutex);
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end()) return fail(ErrorCode::NotFound, "there is no " + jobText(id) + "; see: quarryctl job list");
    if (hasEnded(found->second))
      return fail(ErrorCode::InvalidArgument, jobText(id) + " has ended already; see its report: quarryctl job show " + std::to_string(id));
    if (m_running && m_runningId == id) {
      m_running->cancelled = true;
      m_running->context->requestStop();
      return current(found->second);
    }
    std::erase_if(m_queue, [id](const Queued& queued) { return queued.id == id; });
    found->second.state = JobState::Cancelled;
    found->second.endedAt = isoTime(m_clock.now());
    info = found->second;
    dropOldEnded();
  }
  asio::post(m_context, [this, info] {
    remember(info);
    announce(info);
  });
  return info;
}

Result<JobInfo> JobRunner::show(int64_t id) const {
  Lock lock(m_mutex);
  const auto found = m_jobs.find(id);
  if (found == m_jobs.end()) return fail(ErrorCode::NotFound, "there is no " + jobText(id) + "; see: quarryctl job list");
  return current(found->second);
}

std::vector<JobInfo> JobRunner::list() const {
  Lock lock(m_mutex);
  std::vector<JobInfo> jobs;
  for (auto job = m_jobs.rbegin(); job != m_jobs.rend(); ++job) jobs.push_back(current(job->second));
  return jobs;
}

JobInfo JobRunner::current(const JobInfo& kept) const {
  JobInfo info = kept;
  if (!m_running || m_runningId != info.id) return info;
  m_running->context->fill(info);
  info.bytesPerSecond = m_running->rate.bytesPerSecond();
  info.secondsLeft = m_running->rate.secondsLeft(info.bytesTotal);
  info.secondsTaken = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(m_clock.steady() - m_running->since).count());
  return info;
}

void JobRunner::dropOldEnded() {
  size_t endedCount = static_cast<size_t>(std::count_if(m_jobs.begin(), m_jobs.end(), [](const auto& job) { return hasEnded(job.second); }));
  for (auto job = m_jobs.begin(); job != m_jobs.end() && endedCount > m_options.endedMax;) {
    const bool drop = hasEnded(job->second);
    endedCount -= drop ? 1 : 0;
    job = drop ? m_jobs.erase(job) : std::next(job);
  }
}

void JobRunner::remember(const JobInfo& job) {
  if (!m_history) return;
  if (const auto saved = m_history->save(job); !saved) log("jobs").error("{} could not be saved in the history: {}", jobText(job.id), saved.error().message);
}

void JobRunner::announce(const JobInfo& job) {
  if (m_listener) m_listener(job);
}

Task<void> JobRunner::serve(JobRunner& runner) {
  for (;;) {
    std::optional<Queued> next = runner.takeQueued();
    if (next) {
      co_await runOne(runner, std::move(*next));
      continue;
    }
    {
      Lock lock(runner.m_mutex);
      if (runner.m_stopping) break;
    }
    co_await expiry(runner.m_wake);
  }
  runner.interruptQueued();
}

std::optional<JobRunner::Queued> JobRunner::takeQueued() {
  Lock lock(m_mutex);
  if (m_stopping || m_queue.empty()) return std::nullopt;
  std::optional<Queued> next(std::move(m_queue.front()));
  m_queue.pop_front();
  return next;
}

Task<void> JobRunner::runOne(JobRunner& runner, Queued queued) {
  const std::shared_ptr<JobContext> context = runner.begin(queued.id);
  if (!context) co_return;
  auto timer = std::make_shared<asio::steady_timer>(runner.m_context);
  spawn(runner.m_context, reportProgress(runner, context, timer));
  const Result<void> result = co_await guarded(*queued.job, *context);
  queued.job.reset();
  runner.end(queued.id, result);
  timer->cancel();
}

Task<Result<void>> JobRunner::guarded(Job& job, JobContext& context) {
  try {
    co_return co_await job.run(context);
  } catch (const std::exception& exception) {
    co_return fail(ErrorCode::Internal, exception.what());
  }
}

std::shared_ptr<JobContext> JobRunner::begin(int64_t id) {
  JobInfo info;
  auto context = std::make_shared<JobContext>(id, m_context.get_executor());
  {
    Lock lock(m_mutex);
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end() || hasEnded(found->second)) return nullptr;
    JobInfo& job = found->second;
    job.state = JobState::Running;
    job.startedAt = isoTime(m_clock.now());
    m_running.emplace(Running{.context = context, .rate = {}, .since = m_clock.steady()});
    m_runningId = id;
    if (m_stopping) context->requestStop();
    info = job;
  }
  remember(info);
  announce(info);
  return context;
}

Task<void> JobRunner::reportProgress(JobRunner& runner, std::shared_ptr<JobContext> context, std::shared_ptr<asio::steady_timer> timer) {
  while (runner.measure(*context)) {
    timer->expires_after(runner.m_options.progressPeriod);
    co_await expiry(*timer);
  }
}

bool JobRunner::measure(const JobContext& context) {
  JobInfo info;
  {
    Lock lock(m_mutex);
    if (!m_running || m_running->context.get() != &context) return false;
    m_running->rate.add(m_clock.steady(), context.progress.bytesDone);
    info = current(m_jobs.at(m_runningId));
  }
  announce(info);
  return true;
}

void JobRunner::end(int64_t id, const Result<void>& result) {
  JobInfo info;
  {
    Lock lock(m_mutex);
    info = current(m_jobs.at(id));
    const bool stopped = !result && result.error().code == ErrorCode::Cancelled;
    info.state = result ? JobState::Done : stopped && m_running->cancelled ? JobState::Cancelled : JobState::Failed;
    if (info.state == JobState::Failed) info.error = stopped && m_stopping ? interrupted : result.error().message;
    info.endedAt = isoTime(m_clock.now());
    info.secondsLeft = 0;
    info.currentFile.clear();
    info.bytesPerSecond = info.secondsTaken == 0 ? info.bytesPerSecond : info.bytesDone / info.secondsTaken;
    m_running.reset();
    m_jobs.at(id) = info;
    dropOldEnded();
  }
  if (!result) log("jobs").warn("{} ended: {}", jobText(id), result.error().message);
  remember(info);
  announce(info);
}

void JobRunner::interruptQueued() {
  std::vector<JobInfo> ended;
  {
    Lock lock(m_mutex);
    for (auto& [id, job] : m_jobs) {
      if (job.state != JobState::Queued) continue;
      job.state = JobState::Failed;
      job.error = interrupted;
      job.endedAt = isoTime(m_clock.now());
      ended.push_back(job);
    }
    m_queue.clear();
  }
  for (const JobInfo& job : ended) {
    remember(job);
    announce(job);
  }
}

}  // namespace quarry
