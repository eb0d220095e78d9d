// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/job_wait.h"

#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "app/quarryctl/amount.h"
#include "app/quarryctl/interrupt.h"
#include "app/quarryctl/table.h"
#include "engine/protocol/names.h"
#include "engine/protocol/job_state.h"

namespace quarry::ctl {
namespace {

using protocol::JobInfo;
using protocol::JobState;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds firstPause{20}, pauseMax{500};
constexpr std::chrono::seconds plainLinePeriod{5};

std::string stateText(const JobInfo& job) { return "job " + std::to_string(job.id) + " " + std::string(name(job.state)) + ": " + progressText(job); }

// Writes the line over itself on a terminal, else now and then below the last one.
class ProgressLine {
 public:
  void show(const JobInfo& job) {
    if (m_terminal) {
      std::fprintf(stderr, "\r\033[K%s", stateText(job).c_str());
      return;
    }
    if (steady_clock::now() < m_nextPlain) return;
    m_nextPlain = steady_clock::now() + plainLinePeriod;
    std::fprintf(stderr, "%s\n", stateText(job).c_str());
  }
  ~ProgressLine() {
    if (m_terminal) std::fprintf(stderr, "\r\033[K");
  }

 private:
  const bool m_terminal = ::isatty(STDERR_FILENO) == 1;
  steady_clock::time_point m_nextPlain{};
};

void pauseFor(milliseconds time) {
  const timespec wait{time.count() / 1000, time.count() % 1000 * 1'000'000};
  ::nanosleep(&wait, nullptr);  // a signal ends it early
}

}  // namespace

std::string progressText(const JobInfo& job) {
  if (job.state == JobState::Queued) return "waits for its turn";
  if (job.bytesTotal == 0 && job.state == JobState::Running) return "looking for work";
  if (job.bytesTotal == 0) return job.state == JobState::Done ? "nothing to do" : "nothing done";
  std::string text = percentText(static_cast<double>(job.bytesDone) / static_cast<double>(job.bytesTotal));
  if (job.bytesPerSecond > 0) text += ", " + rateText(static_cast<double>(job.bytesPerSecond));
  if (job.secondsLeft > 0) text += ", " + ageText(job.secondsLeft) + " left";
  return text;
}

Result<JobInfo> waitForJob(Session& session, int64_t id) {
  const Interrupt interrupt;
  ProgressLine line;
  for (milliseconds pause = firstPause;; pause = std::min(pause * 2, pauseMax)) {
    const Result<std::string> reply = session.call("job.show", toJson(protocol::JobRequest{id}));
    if (!reply) return fail(reply.error());
    Result<JobInfo> job = protocol::fromJson<JobInfo>(*reply);
    if (!job || hasEnded(job->state)) return job;
    line.show(*job);
    if (!interrupt.seen()) pauseFor(pause);
    if (interrupt.seen()) {
      const std::string number = std::to_string(id);
      return fail(ErrorCode::Cancelled, "job " + number + " goes on without this wait; see it with: quarryctl job show " + number +
                                            ", stop it with: quarryctl job cancel " + number);
    }
  }
}

}  // namespace quarry::ctl
