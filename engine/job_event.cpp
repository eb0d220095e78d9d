// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job_event.h"

#include "engine/protocol/names.h"

namespace quarry {

JobEvent eventOf(const protocol::JobInfo& job) {
  JobEvent event;
  event.text = std::string(protocol::name(job.type)) + " " + std::string(protocol::name(job.state));
  if (!job.error.empty()) event.text += ": " + job.error;
  if (job.freedBytes > 0) event.text += ", " + std::to_string(job.freedBytes >> 20) + " MiB freed";
  if (job.problemCount > 0)
    event.text += ", " + std::to_string(job.problemCount) + (job.problemCount == 1 ? " problem" : " problems") + " (in the job's report)";
  if (job.state == protocol::JobState::Failed)
    event.severity = protocol::Severity::Error;
  else if (job.problemCount > 0)
    event.severity = protocol::Severity::Warning;
  return event;
}

}  // namespace quarry
