// SPDX-License-Identifier: GPL-3.0-or-later
// One thread that owns the writing connection of one SQLite database and runs changes in groups: whatever was submitted while the
// last transaction was syncing goes into the next, so many waiters share one sync (group commit).
//
// submit() is safe from any thread; its change runs on the queue's thread inside the open transaction, in its own savepoint.
// A change that fails is rolled back alone. When the transaction itself fails, all its changes fail with that error and `onFailed` runs on
// the queue's thread before they learn it. After an I/O error (not NoSpace), or when `onFailed` fails, the queue is broken: every later change
// fails at once, and `onBroken` is told once, on the queue's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/base/async.h"
#include "engine/base/result.h"

namespace quarry::metadata {

class Database;

class TransactionQueue {
 public:
  using Work = std::function<Result<void>(Database&)>;

  // Takes the open database. REQUIRES: its schema is in place.
  explicit TransactionQueue(std::unique_ptr<Database> database, std::string threadName);
  ~TransactionQueue();  // runs what was submitted, then ends the thread
  TransactionQueue(const TransactionQueue&) = delete;
  TransactionQueue& operator=(const TransactionQueue&) = delete;

  // Returns after the change is durable, or with why it is not. `onDurable` runs on the queue's thread once it is durable, before
  // the caller resumes and in the order of the changes.
  Task<Result<void>> submit(Work work, std::function<void()> onDurable = {});
  // The same for threads that may block (start-up, tests).
  Result<void> submitAndWait(Work work, std::function<void()> onDurable = {});

  using OnFailed = std::function<Result<void>(const Error&, Database&)>;
  void setOnFailed(OnFailed onFailed);                                // before the first submit
  void setOnBroken(std::function<void(const Error&)> onBroken);       // before the first submit
  bool isBroken() const;
  uint64_t transactionCount() const;  // committed so far

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace quarry::metadata
