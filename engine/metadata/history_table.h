// SPDX-License-Identifier: GPL-3.0-or-later
// history.db: rings of statistics (opaque bytes by name), records of jobs and events (JSON text, opaque here). Ids of jobs and events grow
// and are never reused; the newest 10,000 events and 1,000 jobs are kept.
//
// Threads: safe from any. Changes are durable on return; reads wait at most for another read.
// Failure: losing history loses no data: callers log it and go on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"

namespace quarry::metadata {

class ReaderPool;
class TransactionQueue;

struct HistoryRecord {
  int64_t id = 0;
  std::string record;
};

class HistoryTable {
 public:
  static constexpr int64_t eventsMax = 10'000;
  static constexpr int64_t jobsMax = 1'000;

  // `queue` must be the one of this database and must outlive this.
  static Result<std::unique_ptr<HistoryTable>> open(const std::string& databasePath, TransactionQueue& queue);
  ~HistoryTable();

  Task<Result<void>> saveRing(std::string name, std::vector<std::byte> contents);
  Result<std::optional<std::vector<std::byte>>> loadRing(const std::string& name);

  Result<int64_t> nextJobId();  // higher than every job saved so far
  Task<Result<void>> saveJob(HistoryRecord job);  // new, or replaces the record of this id
  Result<std::vector<HistoryRecord>> jobs(size_t countMax);  // newest first

  Task<Result<int64_t>> appendEvent(std::string record);  // returns its id
  Result<std::vector<HistoryRecord>> events(size_t countMax);  // newest first

 private:
  HistoryTable(const std::string& databasePath, TransactionQueue& queue);
  Result<std::vector<HistoryRecord>> records(std::string_view sql, size_t countMax);

  TransactionQueue& m_queue;
  std::unique_ptr<ReaderPool> m_readers;
};

}  // namespace quarry::metadata
