// SPDX-License-Identifier: GPL-3.0-or-later
// One connection to one SQLite database (https://sqlite.org/c3ref/intro.html) in WAL mode with synchronous=FULL. Its source is the only
// one that knows SQLite.
//
// Threads: a Database and its Statements belong to one thread at a time. Statements must not outlive their Database.
// Failure: NoSpace (disk full), IoError, Corrupt (damaged, or not the database it should be), Lost (missing), VersionTooNew (written
// by a newer Quarry), Busy; each message names the file.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace quarry::metadata {

class Database;

// A prepared statement, borrowed from its Database's cache; given back, reset, when destroyed. Move only. Parameters and columns count
// from 0. A failed bind shows in the next step().
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Binds all parameters in order. Integers, std::string_view (TEXT), Bytes (BLOB), optionals of them (NULL when empty).
  template <class... Values>
  Statement& bind(const Values&... values) {
    int index = 0;
    (bindOne(index++, values), ...);
    return *this;
  }

  Result<bool> step();   // true: there is a row; false: done
  Result<void> run();    // to the end, then ready for the next bind
  void reset();

  bool isNull(int column) const;
  int64_t integer(int column) const;
  uint64_t unsignedInteger(int column) const { return static_cast<uint64_t>(integer(column)); }
  std::string text(int column) const;
  Bytes blob(int column) const;  // valid until the next step

 private:
  friend class Database;
  Statement(Database& database, std::string_view sql, sqlite3_stmt* handle) : m_database(&database), m_sql(sql), m_handle(handle) {}

  template <std::integral Integer>
  void bindOne(int index, Integer value) { bindInteger(index, static_cast<int64_t>(value)); }
  void bindOne(int index, std::string_view text);
  void bindOne(int index, Bytes blob);
  template <class Value>
  void bindOne(int index, const std::optional<Value>& value) {
    if (value) {
      bindOne(index, *value);
    } else {
      bindNull(index);
    }
  }
  void bindInteger(int index, int64_t value);
  void bindNull(int index);
  void note(int code);

  Database* m_database;
  std::string m_sql;
  sqlite3_stmt* m_handle;
  int m_bindCode = 0;
};

enum class DatabaseMode { Create, MustExist, ReadOnly };  // Create: open, or make it with its schema

struct DatabaseFormat {
  std::string_view contents;   // "namespace": what a person would call it
  uint32_t applicationId = 0;
  int version = 0;             // newest that this program knows
  std::string_view schema;     // SQL that makes an empty database of this version
  std::span<const std::string_view> upgrades;  // SQL, element i from version i + 1 to the next; done by the first writer that opens it
};

class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::string& path, const DatabaseFormat& format, DatabaseMode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // `sql` is one statement; what is prepared is kept, so pass the same text again for the same statement.
  Result<Statement> prepare(std::string_view sql);
  // prepare, bind, run.
  template <class... Values>
  Result<void> run(std::string_view sql, const Values&... values) {
    auto statement = prepare(sql);
    if (!statement) return fail(statement.error());
    return statement->bind(values...).run();
  }
  Result<void> runScript(std::string_view sql);  // any number of statements without parameters

  bool isInTransaction() const;  // false too after SQLite rolled back by itself, as it does when the disk is full
  const std::string& path() const { return m_path; }
  // Transactions that were committed and had to reach the disk; for tests and statistics.
  uint64_t commitCount() const { return m_commitCount; }
  // Called before each commit; true makes it fail as a full disk would. For tests.
  void setCommitFault(std::function<bool()> fault);

 private:
  friend class Statement;
  friend class Transaction;
  Database(std::string path, sqlite3* handle) : m_path(std::move(path)), m_handle(handle) {}
  Result<void> configure(DatabaseMode mode);
  Result<void> checkFormat(const DatabaseFormat& format, DatabaseMode mode);
  Result<void> upgrade(const DatabaseFormat& format, int64_t from);
  Result<int64_t> readInteger(std::string_view sql);
  Error error(int code) const;
  void giveBack(std::string sql, sqlite3_stmt* handle);

  const std::string m_path;
  sqlite3* const m_handle;
  std::unordered_multimap<std::string, sqlite3_stmt*> m_idleStatements;
  std::function<bool()> m_commitFault;
  uint64_t m_commitCount = 0;
};

// A savepoint: rolled back when destroyed before release(). REQUIRES: a transaction is open.
class Savepoint {
 public:
  static Result<Savepoint> begin(Database& database);
  Savepoint(Savepoint&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
  Savepoint& operator=(Savepoint&&) = delete;
  ~Savepoint();
  Result<void> release();

 private:
  explicit Savepoint(Database& database) : m_database(&database) {}
  Database* m_database;
};

// A writing transaction: rolled back when destroyed before commit().
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Result<void> commit();

 private:
  explicit Transaction(Database& database) : m_database(&database) {}
  Database* m_database;
};

}  // namespace quarry::metadata
