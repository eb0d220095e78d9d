// SPDX-License-Identifier: GPL-3.0-or-later
// JobHistory over history.db. Blocks its caller, the job thread, for one small transaction. References outlive it.
#pragma once

#include <asio/any_io_executor.hpp>

#include "engine/jobs/job_runner.h"
#include "engine/metadata/history_table.h"

namespace quarry {

class StoredJobHistory : public JobHistory {
 public:
  // `executor` is not the job thread's.
  StoredJobHistory(metadata::HistoryTable& history, asio::any_io_executor executor) : m_history(history), m_executor(std::move(executor)) {}
  Result<void> save(const protocol::JobInfo& job) override;
  Result<std::vector<protocol::JobInfo>> load() override;

 private:
  metadata::HistoryTable& m_history;
  const asio::any_io_executor m_executor;
};

}  // namespace quarry
