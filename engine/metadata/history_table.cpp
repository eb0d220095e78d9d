// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/history_table.h"

#include "engine/metadata/reader_pool.h"
#include "engine/metadata/schema.h"
#include "engine/metadata/transaction_queue.h"

namespace quarry::metadata {

Result<std::unique_ptr<HistoryTable>> HistoryTable::open(const std::string& databasePath, TransactionQueue& queue) {
  auto table = std::unique_ptr<HistoryTable>(new HistoryTable(databasePath, queue));
  if (auto reader = table->m_readers->borrow(); !reader) return fail(reader.error());
  return table;
}

HistoryTable::HistoryTable(const std::string& databasePath, TransactionQueue& queue)
    : m_queue(queue), m_readers(std::make_unique<ReaderPool>(databasePath, historyFormat())) {}

HistoryTable::~HistoryTable() = default;

Task<Result<void>> HistoryTable::saveRing(std::string name, std::vector<std::byte> contents) {
  return m_queue.submit([name = std::move(name), contents = std::move(contents)](Database& database) {
    return database.run("INSERT OR REPLACE INTO rings VALUES (?, ?)", std::string_view(name), Bytes(contents));
  });
}

Result<std::optional<std::vector<std::byte>>> HistoryTable::loadRing(const std::string& name) {
  auto reader = m_readers->borrow();
  if (!reader) return fail(reader.error());
  auto statement = (**reader).prepare("SELECT contents FROM rings WHERE name = ?");
  if (!statement) return fail(statement.error());
  auto row = statement->bind(std::string_view(name)).step();
  if (!row) return fail(row.error());
  if (!*row) return std::nullopt;
  const Bytes contents = statement->blob(0);
  return std::vector<std::byte>(contents.begin(), contents.end());
}

Result<int64_t> HistoryTable::nextJobId() {
  auto newest = jobs(1);
  if (!newest) return fail(newest.error());
  return newest->empty() ? 1 : newest->front().id + 1;
}

Task<Result<void>> HistoryTable::saveJob(HistoryRecord job) {
  return m_queue.submit([job = std::move(job)](Database& database) -> Result<void> {
    auto saved = database.run("INSERT OR REPLACE INTO jobs VALUES (?, ?)", job.id, std::string_view(job.record));
    if (!saved) return saved;
    return database.run("DELETE FROM jobs WHERE id <= (SELECT max(id) FROM jobs) - ?", jobsMax);
  });
}

Result<std::vector<HistoryRecord>> HistoryTable::jobs(size_t countMax) {
  return records("SELECT id, record FROM jobs ORDER BY id DESC LIMIT ?", countMax);
}

Task<Result<int64_t>> HistoryTable::appendEvent(std::string record) {
  auto id = std::make_shared<int64_t>(0);
  TransactionQueue::Work work = [id, record = std::move(record)](Database& database) -> Result<void> {
    {
      auto insertion = database.prepare("INSERT INTO events (record) VALUES (?) RETURNING id");
      if (!insertion) return fail(insertion.error());
      insertion->bind(std::string_view(record));
      auto row = insertion->step();
      if (!row) return fail(row.error());
      *id = insertion->integer(0);
      if (auto done = insertion->run(); !done) return done;
    }
    return database.run("DELETE FROM events WHERE id <= ?", *id - eventsMax);
  };
  auto submitted = co_await m_queue.submit(std::move(work));
  if (!submitted) co_return fail(submitted.error());
  co_return *id;
}

Result<std::vector<HistoryRecord>> HistoryTable::events(size_t countMax) {
  return records("SELECT id, record FROM events ORDER BY id DESC LIMIT ?", countMax);
}

Result<std::vector<HistoryRecord>> HistoryTable::records(std::string_view sql, size_t countMax) {
  auto reader = m_readers->borrow();
  if (!reader) return fail(reader.error());
  auto rows = (**reader).prepare(sql);
  if (!rows) return fail(rows.error());
  rows->bind(static_cast<int64_t>(countMax));
  std::vector<HistoryRecord> records;
  while (true) {
    auto row = rows->step();
    if (!row) return fail(row.error());
    if (!*row) return records;
    records.push_back({rows->integer(0), rows->text(1)});
  }
}

}  // namespace quarry::metadata
