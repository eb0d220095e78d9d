// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stored_job_history.h"

#include "engine/protocol/codec.h"
#include "engine/wait_for.h"

namespace quarry {

Result<void> StoredJobHistory::save(const protocol::JobInfo& job) {
  metadata::HistoryRecord record{.id = job.id, .record = protocol::toJson(job)};
  return waitFor(m_executor, m_history.saveJob(std::move(record)));
}

Result<std::vector<protocol::JobInfo>> StoredJobHistory::load() {
  const auto records = m_history.jobs(metadata::HistoryTable::jobsMax);
  if (!records) return fail(records.error());
  std::vector<protocol::JobInfo> jobs;
  for (const metadata::HistoryRecord& record : *records)
    if (auto job = protocol::fromJson<protocol::JobInfo>(record.record)) jobs.push_back(std::move(*job));
  return jobs;
}

}  // namespace quarry
