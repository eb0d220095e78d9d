// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "engine/base/check.h"

namespace quarry::metadata {

namespace {

constexpr int busyTimeoutMs = 10'000;
constexpr size_t idleStatementsMax = 64;

// The journal_size_limit keeps the SQLite WAL small after a large transaction; cache_size is in KiB when negative.
constexpr std::string_view writerSettings =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=OFF; PRAGMA temp_store=MEMORY;"
    "PRAGMA cache_size=-16384; PRAGMA journal_size_limit=67108864; PRAGMA wal_autocheckpoint=4000;";
constexpr std::string_view readerSettings = "PRAGMA query_only=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-4096;";

ErrorCode codeOf(int sqliteCode, int systemErrno) {
  const bool diskFull = systemErrno == ENOSPC || systemErrno == EDQUOT;
  const bool ranOut = systemErrno == EMFILE || systemErrno == ENFILE || systemErrno == ENOMEM;
  if (sqliteCode == SQLITE_IOERR_NOMEM) return ErrorCode::Busy;
  switch (sqliteCode & 0xff) {
    case SQLITE_FULL: return ErrorCode::NoSpace;
    case SQLITE_NOMEM: return ErrorCode::Busy;
    case SQLITE_IOERR: return diskFull ? ErrorCode::NoSpace : ErrorCode::IoError;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return ErrorCode::Corrupt;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return ErrorCode::Busy;
    case SQLITE_READONLY: return ErrorCode::ReadOnly;
    case SQLITE_PERM:
    case SQLITE_AUTH: return ErrorCode::AccessDenied;
    case SQLITE_CANTOPEN:
      if (ranOut) return ErrorCode::Busy;
      return diskFull ? ErrorCode::NoSpace : systemErrno == EACCES ? ErrorCode::AccessDenied : ErrorCode::IoError;
    case SQLITE_TOOBIG: return ErrorCode::FileTooBig;
    default: return ErrorCode::Internal;
  }
}

int onCommit(void* fault) { return (*static_cast<std::function<bool()>*>(fault))() ? 1 : 0; }

}  // namespace

Statement::Statement(Statement&& other) noexcept
    : m_database(other.m_database), m_sql(std::move(other.m_sql)), m_handle(std::exchange(other.m_handle, nullptr)), m_bindCode(other.m_bindCode) {}

Statement::~Statement() {
  if (m_handle) m_database->giveBack(std::move(m_sql), m_handle);
}

void Statement::note(int code) {
  if (code != SQLITE_OK && m_bindCode == SQLITE_OK) m_bindCode = code;
}

void Statement::bindInteger(int index, int64_t value) { note(sqlite3_bind_int64(m_handle, index + 1, value)); }
void Statement::bindNull(int index) { note(sqlite3_bind_null(m_handle, index + 1)); }

void Statement::bindOne(int index, std::string_view text) {
  const char* data = text.data() ? text.data() : "";
  note(sqlite3_bind_text64(m_handle, index + 1, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bindOne(int index, Bytes blob) {
  const void* data = blob.data() ? static_cast<const void*>(blob.data()) : "";
  note(sqlite3_bind_blob64(m_handle, index + 1, data, blob.size(), SQLITE_TRANSIENT));
}

Result<bool> Statement::step() {
  if (m_bindCode != SQLITE_OK) return fail(m_database->error(m_bindCode));
  const int code = sqlite3_step(m_handle);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = m_database->error(code);
  reset();
  return fail(std::move(error));
}

Result<void> Statement::run() {
  while (true) {
    auto row = step();
    if (!row) return fail(row.error());
    if (!*row) break;
  }
  reset();
  return {};
}

void Statement::reset() {
  sqlite3_reset(m_handle);
  m_bindCode = SQLITE_OK;
}

bool Statement::isNull(int column) const { return sqlite3_column_type(m_handle, column) == SQLITE_NULL; }
int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_handle, column); }

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_handle, column));
  return data ? std::string(data, static_cast<size_t>(sqlite3_column_bytes(m_handle, column))) : std::string();
}

Bytes Statement::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(m_handle, column));
  return {data, data ? static_cast<size_t>(sqlite3_column_bytes(m_handle, column)) : 0};
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, const DatabaseFormat& format, DatabaseMode mode) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_NOMUTEX | (mode == DatabaseMode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    (mode == DatabaseMode::Create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  if (!handle) return fail(ErrorCode::Internal, "cannot open " + path + ": out of memory");
  auto database = std::unique_ptr<Database>(new Database(path, handle));
  if (code == SQLITE_CANTOPEN && sqlite3_system_errno(handle) == ENOENT && mode != DatabaseMode::Create) {
    return fail(ErrorCode::Lost, "the " + std::string(format.contents) + " database " + path + " is missing; restore it from a backup of the store");
  }
  if (code != SQLITE_OK) return fail(database->error(code));
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, busyTimeoutMs);
  if (auto configured = database->configure(mode); !configured) return fail(configured.error());
  if (auto checked = database->checkFormat(format, mode); !checked) return fail(checked.error());
  return database;
}

Database::~Database() {
  for (const auto& [sql, statement] : m_idleStatements) sqlite3_finalize(statement);
  sqlite3_close_v2(m_handle);
}

Result<void> Database::configure(DatabaseMode mode) {
  return runScript(mode == DatabaseMode::ReadOnly ? readerSettings : writerSettings);
}

Result<int64_t> Database::readInteger(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return fail(statement.error());
  auto row = statement->step();
  if (!row) return fail(row.error());
  return *row ? statement->integer(0) : 0;
}

Result<void> Database::checkFormat(const DatabaseFormat& format, DatabaseMode mode) {
  const std::string what = "the " + std::string(format.contents) + " database " + m_path;
  auto version = readInteger("PRAGMA user_version");
  if (!version) return fail(version.error());
  auto applicationId = readInteger("PRAGMA application_id");
  if (!applicationId) return fail(applicationId.error());
  auto tableCount = readInteger("SELECT count(*) FROM sqlite_schema");
  if (!tableCount) return fail(tableCount.error());
  if (*tableCount == 0 && *version == 0 && *applicationId == 0) {
    if (mode != DatabaseMode::Create) return fail(ErrorCode::Corrupt, what + " is empty; restore it from a backup of the store");
    // One transaction, so that a crash leaves either nothing or all of it.
    return runScript("BEGIN IMMEDIATE;" + std::string(format.schema) + "PRAGMA application_id=" + std::to_string(format.applicationId) +
                     "; PRAGMA user_version=" + std::to_string(format.version) + "; COMMIT;");
  }
  if (*applicationId != static_cast<int64_t>(format.applicationId)) {
    return fail(ErrorCode::Corrupt, what + " is not a " + std::string(format.contents) + " database of Quarry");
  }
  if (*version > format.version) {
    return fail(ErrorCode::VersionTooNew, what + " has format " + std::to_string(*version) + ", but this Quarry knows formats up to " +
                                              std::to_string(format.version) + "; install the newer Quarry that wrote it");
  }
  if (*version < 1) return fail(ErrorCode::Corrupt, what + " has the impossible format number " + std::to_string(*version));
  if (*version == format.version) return {};
  if (mode == DatabaseMode::ReadOnly) return fail(ErrorCode::NotSupported, what + " has an older format; the engine upgrades it when it starts");
  return upgrade(format, *version);
}

// One transaction: a crash leaves the old format or the new one.
Result<void> Database::upgrade(const DatabaseFormat& format, int64_t from) {
  QUARRY_CHECK(format.upgrades.size() + 1 == static_cast<size_t>(format.version));
  std::string script = "BEGIN IMMEDIATE;";
  for (const std::string_view step : format.upgrades.subspan(static_cast<size_t>(from - 1))) script += step;
  return runScript(script + "PRAGMA user_version=" + std::to_string(format.version) + "; COMMIT;");
}

Result<Statement> Database::prepare(std::string_view sql) {
  std::string key(sql);
  if (auto idle = m_idleStatements.find(key); idle != m_idleStatements.end()) {
    sqlite3_stmt* handle = idle->second;
    m_idleStatements.erase(idle);
    return Statement(*this, sql, handle);
  }
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(m_handle, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) return fail(error(code));
  return Statement(*this, sql, handle);
}

void Database::giveBack(std::string sql, sqlite3_stmt* handle) {
  sqlite3_reset(handle);
  sqlite3_clear_bindings(handle);
  if (m_idleStatements.size() >= idleStatementsMax) {
    sqlite3_finalize(handle);
    return;
  }
  m_idleStatements.emplace(std::move(sql), handle);
}

Result<void> Database::runScript(std::string_view sql) {
  const int code = sqlite3_exec(m_handle, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(error(code));
  return {};
}

bool Database::isInTransaction() const { return sqlite3_get_autocommit(m_handle) == 0; }

void Database::setCommitFault(std::function<bool()> fault) {
  m_commitFault = std::move(fault);
  sqlite3_commit_hook(m_handle, m_commitFault ? &onCommit : nullptr, &m_commitFault);
}

Error Database::error(int code) const {
  const int systemErrno = sqlite3_system_errno(m_handle);
  if (code == SQLITE_CONSTRAINT_COMMITHOOK) return {ErrorCode::NoSpace, "cannot commit to " + m_path + ": refused by a test"};
  std::string text = sqlite3_errmsg(m_handle);
  if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN) text += std::string(" (") + std::strerror(systemErrno) + ")";
  const ErrorCode result = codeOf(code, systemErrno);
  if (result == ErrorCode::Corrupt) return {result, m_path + " is damaged (" + text + "); restore it from a backup of the store"};
  return {result, "database " + m_path + ": " + text};
}

Result<Savepoint> Savepoint::begin(Database& database) {
  if (auto begun = database.run("SAVEPOINT change"); !begun) return fail(begun.error());
  return Savepoint(database);
}

Savepoint::~Savepoint() {
  if (!m_database || !m_database->isInTransaction()) return;
  (void)m_database->run("ROLLBACK TO change");
  (void)m_database->run("RELEASE change");
}

Result<void> Savepoint::release() { return std::exchange(m_database, nullptr)->run("RELEASE change"); }

Result<Transaction> Transaction::begin(Database& database) {
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return fail(begun.error());
  return Transaction(database);
}

Transaction::~Transaction() {
  if (m_database && m_database->isInTransaction()) (void)m_database->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  if (auto committed = m_database->run("COMMIT"); !committed) return committed;
  ++std::exchange(m_database, nullptr)->m_commitCount;
  return {};
}

}  // namespace quarry::metadata
