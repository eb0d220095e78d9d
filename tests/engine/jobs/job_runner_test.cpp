// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/job_runner.h"

#include <QTest>
#include <asio/steady_timer.hpp>
#include <stdexcept>

#include "tests/support/manual_clock.h"

using namespace quarry;
using namespace std::chrono_literals;
using protocol::JobInfo;
using protocol::JobState;

namespace {

// Ends at once with the given result.
class QuickJob : public Job {
 public:
  explicit QuickJob(Result<void> result = {}) : m_result(std::move(result)) {}
  Task<Result<void>> run(JobContext& context) override {
    context.progress.bytesTotal = 10;
    context.progress.bytesDone = 10;
    context.note("looked at one file");
    co_return m_result;
  }

 private:
  Result<void> m_result;
};

class ThrowingJob : public Job {
 public:
  Task<Result<void>> run(JobContext&) override {
    throw std::runtime_error("out of something");
    co_return Result<void>();
  }
};

// Runs until it is told to stop.
class EndlessJob : public Job {
 public:
  Task<Result<void>> run(JobContext& context) override {
    context.progress.bytesTotal = 1000;
    context.setCurrentFile("disk.vmdk");
    asio::steady_timer timer(context.executor());
    while (!context.stopToken().stop_requested()) {
      context.progress.bytesDone += 1;
      timer.expires_after(1ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
    co_return fail(ErrorCode::Cancelled, "stopped as asked");
  }
};

class MemoryHistory : public JobHistory {
 public:
  Result<void> save(const JobInfo& job) override {
    Lock lock(m_mutex);
    m_saved.push_back(job);
    return {};
  }
  Result<std::vector<JobInfo>> load() override { return m_loaded; }

  std::vector<JobState> states(int64_t id) {
    Lock lock(m_mutex);
    std::vector<JobState> states;
    for (const JobInfo& job : m_saved)
      if (job.id == id) states.push_back(job.state);
    return states;
  }
  std::vector<JobInfo> m_loaded;

 private:
  Mutex m_mutex;
  std::vector<JobInfo> m_saved GUARDED_BY(m_mutex);
};

JobInfo past(int64_t id, JobState state) {
  JobInfo job;
  job.id = id;
  job.state = state;
  return job;
}

struct Setup {
  explicit Setup(JobRunnerOptions options = {}) : runner(clock, &history, [this](const JobInfo& job) { add(job); }, options) {}

  void add(const JobInfo& job) {
    Lock lock(mutex);
    seen.push_back(job);
  }
  size_t seenCount(JobState state) {
    Lock lock(mutex);
    return static_cast<size_t>(std::count_if(seen.begin(), seen.end(), [state](const JobInfo& job) { return job.state == state; }));
  }
  JobState stateOf(int64_t id) const { return runner.show(id)->state; }

  ManualClock clock;
  MemoryHistory history;
  Mutex mutex;
  std::vector<JobInfo> seen;
  JobRunner runner;
};

}  // namespace

class JobRunnerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void jobRunsAndIsRemembered() {
    Setup s;
    QVERIFY(s.runner.start().has_value());
    const auto job = s.runner.submit({.type = protocol::JobType::Optimize, .vstorage = "main", .vm = {}, .path = {}, .minAgeSeconds = {}},
                                     std::make_unique<QuickJob>());
    QVERIFY(job.has_value());
    QTRY_COMPARE(s.stateOf(job->id), JobState::Done);
    const auto done = s.runner.show(job->id);
    QCOMPARE(done->vstorage, std::string("main"));
    QCOMPARE(done->bytesDone, uint64_t{10});
    QCOMPARE(done->notes.size(), size_t{1});
    QVERIFY(!done->startedAt.empty() && !done->endedAt.empty());
    const std::vector<JobState> wanted{JobState::Queued, JobState::Running, JobState::Done};
    QTRY_VERIFY(s.history.states(job->id) == wanted);
  }

  void failuresAreTold() {
    Setup s;
    QVERIFY(s.runner.start().has_value());
    const auto refused = s.runner.submit({}, std::make_unique<QuickJob>(fail(ErrorCode::NoSpace, "the disk is full")));
    const auto thrown = s.runner.submit({}, std::make_unique<ThrowingJob>());
    QTRY_COMPARE(s.stateOf(thrown->id), JobState::Failed);
    QCOMPARE(s.stateOf(refused->id), JobState::Failed);
    QCOMPARE(s.runner.show(refused->id)->error, std::string("the disk is full"));
    QCOMPARE(s.runner.show(thrown->id)->error, std::string("out of something"));
  }

  void oneAfterTheOther() {
    Setup s;
    QVERIFY(s.runner.start().has_value());
    const auto first = s.runner.submit({}, std::make_unique<EndlessJob>());
    const auto second = s.runner.submit({}, std::make_unique<QuickJob>());
    QTRY_COMPARE(s.stateOf(first->id), JobState::Running);
    QCOMPARE(s.stateOf(second->id), JobState::Queued);
    QVERIFY(s.runner.cancel(first->id).has_value());
    QTRY_COMPARE(s.stateOf(second->id), JobState::Done);
    QCOMPARE(s.stateOf(first->id), JobState::Cancelled);
    const auto jobs = s.runner.list();
    QVERIFY(jobs.size() == 2 && jobs[0].id == second->id && jobs[1].id == first->id);
  }

  void queuedJobIsCancelledAtOnce() {
    Setup s;
    QVERIFY(s.runner.start().has_value());
    const auto first = s.runner.submit({}, std::make_unique<EndlessJob>());
    const auto second = s.runner.submit({}, std::make_unique<QuickJob>());
    QCOMPARE(s.runner.cancel(second->id)->state, JobState::Cancelled);
    QVERIFY(s.runner.cancel(second->id).error().code == ErrorCode::InvalidArgument);
    QVERIFY(s.runner.cancel(99).error().code == ErrorCode::NotFound);
    QVERIFY(s.runner.show(99).error().code == ErrorCode::NotFound);
    QVERIFY(s.runner.cancel(first->id).has_value());
    QTRY_COMPARE(s.stateOf(first->id), JobState::Cancelled);
    QVERIFY(s.runner.show(second->id)->startedAt.empty());
  }

  void queueIsBounded() {
    Setup s({.queuedMax = 2, .endedMax = 200, .progressPeriod = 500ms});
    QVERIFY(s.runner.start().has_value());
    const auto running = s.runner.submit({}, std::make_unique<EndlessJob>());
    QTRY_COMPARE(s.stateOf(running->id), JobState::Running);
    QVERIFY(s.runner.submit({}, std::make_unique<QuickJob>()).has_value());
    QVERIFY(s.runner.submit({}, std::make_unique<QuickJob>()).has_value());
    QVERIFY(s.runner.submit({}, std::make_unique<QuickJob>()).error().code == ErrorCode::Busy);
  }

  void progressIsPublishedWithRate() {
    Setup s({.queuedMax = 2, .endedMax = 200, .progressPeriod = 2ms});
    QVERIFY(s.runner.start().has_value());
    const auto job = s.runner.submit({}, std::make_unique<EndlessJob>());
    QTRY_VERIFY(s.seenCount(JobState::Running) > 3);
    s.clock.advance(5s);
    QTRY_VERIFY(s.runner.show(job->id)->bytesPerSecond > 0);
    const auto info = s.runner.show(job->id);
    QVERIFY(info->secondsLeft > 0 && info->secondsTaken >= 5);
    QCOMPARE(info->currentFile, std::string("disk.vmdk"));
    QVERIFY(s.runner.cancel(job->id).has_value());
    QTRY_COMPARE(s.stateOf(job->id), JobState::Cancelled);
    QVERIFY(s.runner.show(job->id)->currentFile.empty());
  }

  void oldEndedJobsAreDropped() {
    Setup s({.queuedMax = 32, .endedMax = 3, .progressPeriod = 500ms});
    QVERIFY(s.runner.start().has_value());
    int64_t last = 0;
    for (int i = 0; i < 8; ++i) last = s.runner.submit({}, std::make_unique<QuickJob>())->id;
    QTRY_COMPARE(s.runner.list().size(), size_t{3});
    QCOMPARE(s.runner.list().front().id, last);
  }

  void restartTellsWhatWasInterrupted() {
    Setup s;
    s.history.m_loaded = {past(3, JobState::Done), past(4, JobState::Running), past(5, JobState::Queued)};
    QVERIFY(s.runner.start().has_value());
    QCOMPARE(s.stateOf(3), JobState::Done);
    for (const int64_t id : {4, 5}) {
      QCOMPARE(s.stateOf(id), JobState::Failed);
      QCOMPARE(s.runner.show(id)->error, std::string("interrupted by a restart"));
      QVERIFY(s.history.states(id) == std::vector<JobState>{JobState::Failed});
    }
    QCOMPARE(s.runner.submit({}, std::make_unique<QuickJob>())->id, int64_t{6});
  }

  void stopInterruptsRunningAndQueued() {
    Setup s;
    QVERIFY(s.runner.start().has_value());
    const auto running = s.runner.submit({}, std::make_unique<EndlessJob>());
    const auto queued = s.runner.submit({}, std::make_unique<QuickJob>());
    QTRY_COMPARE(s.stateOf(running->id), JobState::Running);
    s.runner.stop();
    for (const int64_t id : {running->id, queued->id}) {
      QCOMPARE(s.stateOf(id), JobState::Failed);
      QCOMPARE(s.runner.show(id)->error, std::string("interrupted by a restart"));
      QCOMPARE(s.history.states(id).back(), JobState::Failed);
    }
    QVERIFY(s.runner.submit({}, std::make_unique<QuickJob>()).error().code == ErrorCode::Busy);
    s.runner.stop();
  }

  void stopRightAfterSubmit() {
    for (int i = 0; i < 50; ++i) {
      Setup s;
      QVERIFY(s.runner.start().has_value());
      const auto job = s.runner.submit({}, std::make_unique<QuickJob>());
      s.runner.stop();
      QVERIFY(s.stateOf(job->id) == JobState::Failed || s.stateOf(job->id) == JobState::Done);
    }
  }
};

QTEST_GUILESS_MAIN(JobRunnerTest)
#include "job_runner_test.moc"
