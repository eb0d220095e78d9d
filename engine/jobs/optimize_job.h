// SPDX-License-Identifier: GPL-3.0-or-later
// The optimizer as a job: progress, notes and the stop token of a JobContext are what it tells and asks (dedup/job_monitor.h).
// Threads and failure: as dedup/optimizer.h. Everything in `parts` must outlive the job.
#pragma once

#include "engine/dedup/optimizer.h"
#include "engine/jobs/job.h"
#include "engine/protocol/messages.h"

namespace quarry {

class OptimizeJob : public Job {
 public:
  OptimizeJob(dedup::OptimizerParts parts, protocol::JobStart request) : m_parts(std::move(parts)), m_request(std::move(request)) {}

  Task<Result<void>> run(JobContext& context) override;

 private:
  const dedup::OptimizerParts m_parts;
  const protocol::JobStart m_request;
};

}  // namespace quarry
