// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/transaction_queue.h"

#include <pthread.h>

#include <atomic>
#include <deque>
#include <future>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/log.h"
#include "engine/base/mutex.h"
#include "engine/metadata/database.h"

namespace quarry::metadata {

namespace {

constexpr size_t changesPerTransactionMax = 1024;

struct Change {
  TransactionQueue::Work work;
  std::function<void()> onDurable;
  std::function<void(Result<void>)> done;
  Result<void> result;
};

}  // namespace

class TransactionQueue::Impl {
 public:
  Impl(std::unique_ptr<Database> database, std::string threadName)
      : m_database(std::move(database)), m_threadName(std::move(threadName)), m_thread([this] { loop(); }) {
    // Linux cuts thread names at 15 characters, and refuses longer ones.
    pthread_setname_np(m_thread.native_handle(), m_threadName.substr(0, 15).c_str());
  }

  ~Impl() {
    {
      const Lock lock(m_mutex);
      m_ending = true;
      m_arrived.notifyAll();
    }
    m_thread.join();
  }

  void add(Change change) {
    const Lock lock(m_mutex);
    m_waiting.push_back(std::move(change));
    m_arrived.notifyOne();
  }

  void setOnFailed(OnFailed onFailed) { m_onFailed = std::move(onFailed); }
  void setOnBroken(std::function<void(const Error&)> onBroken) { m_onBroken = std::move(onBroken); }
  bool isBroken() const { return m_isBroken; }
  uint64_t transactionCount() const { return m_transactionCount; }

 private:
  void loop() {
    while (true) {
      std::vector<Change> group = takeGroup();
      if (group.empty()) return;
      runGroup(group);
      for (Change& change : group) change.done(std::move(change.result));
    }
  }

  std::vector<Change> takeGroup() {
    const Lock lock(m_mutex);
    while (m_waiting.empty() && !m_ending) m_arrived.wait(m_mutex);
    std::vector<Change> group;
    while (!m_waiting.empty() && group.size() < changesPerTransactionMax) {
      group.push_back(std::move(m_waiting.front()));
      m_waiting.pop_front();
    }
    return group;
  }

  void runGroup(std::vector<Change>& group) {
    Result<void> committed = m_broken ? Result<void>(fail(*m_broken)) : runTransaction(group);
    if (committed) {
      ++m_transactionCount;
      for (Change& change : group) {
        if (change.result && change.onDurable) change.onDurable();
      }
      return;
    }
    for (Change& change : group) change.result = committed;
    if (!m_broken) onTransactionFailed(committed.error());
  }

  Result<void> runTransaction(std::vector<Change>& group) {
    auto transaction = Transaction::begin(*m_database);
    if (!transaction) return fail(transaction.error());
    for (Change& change : group) {
      change.result = runChange(change.work);
      // SQLite rolls the whole transaction back by itself when the disk is full or fails.
      if (!m_database->isInTransaction()) return change.result ? fail(ErrorCode::Internal, "the transaction ended early") : change.result;
      if (m_savepointFailed) return change.result;
    }
    return transaction->commit();
  }

  Result<void> runChange(const Work& work) {
    m_savepointFailed = false;
    auto savepoint = Savepoint::begin(*m_database);
    m_savepointFailed = !savepoint;
    if (!savepoint) return fail(savepoint.error());
    if (auto worked = work(*m_database); !worked) return worked;
    auto released = savepoint->release();
    m_savepointFailed = !released;
    return released;
  }

  void onTransactionFailed(const Error& error) {
    const bool mayRecover = error.code == ErrorCode::NoSpace || error.code == ErrorCode::Busy;
    log("metadata").error("a transaction failed{}: {}", mayRecover ? "" : " and the database takes no more changes", error.message);
    const Result<void> undone = m_onFailed ? m_onFailed(error, *m_database) : Result<void>();
    if (!mayRecover) breakDown(error);
    else if (!undone) breakDown(undone.error());
  }

  void breakDown(const Error& error) {
    m_broken = error;
    m_isBroken = true;
    if (m_onBroken) m_onBroken(error);
  }

  // --- the queue's thread only
  const std::unique_ptr<Database> m_database;
  const std::string m_threadName;
  OnFailed m_onFailed;                             // set before the first change
  std::function<void(const Error&)> m_onBroken;    // set before the first change
  std::optional<Error> m_broken;
  bool m_savepointFailed = false;

  std::atomic<bool> m_isBroken = false;
  std::atomic<uint64_t> m_transactionCount = 0;

  Mutex m_mutex;
  Condition m_arrived;
  std::deque<Change> m_waiting GUARDED_BY(m_mutex);
  bool m_ending GUARDED_BY(m_mutex) = false;

  std::thread m_thread;  // last: it uses all of the above
};

TransactionQueue::TransactionQueue(std::unique_ptr<Database> database, std::string threadName)
    : m_impl(std::make_unique<Impl>(std::move(database), std::move(threadName))) {}

TransactionQueue::~TransactionQueue() = default;

Task<Result<void>> TransactionQueue::submit(Work work, std::function<void()> onDurable) {
  auto add = [impl = m_impl.get(), work = std::move(work), onDurable = std::move(onDurable)](std::function<void(Result<void>)> done) mutable {
    impl->add({std::move(work), std::move(onDurable), std::move(done), {}});
  };
  return awaitCallback<Result<void>>(add);
}

Result<void> TransactionQueue::submitAndWait(Work work, std::function<void()> onDurable) {
  std::promise<Result<void>> promise;
  auto future = promise.get_future();
  m_impl->add({std::move(work), std::move(onDurable), [&promise](Result<void> result) { promise.set_value(std::move(result)); }, {}});
  return future.get();
}

void TransactionQueue::setOnFailed(OnFailed onFailed) { m_impl->setOnFailed(std::move(onFailed)); }
void TransactionQueue::setOnBroken(std::function<void(const Error&)> onBroken) { m_impl->setOnBroken(std::move(onBroken)); }
bool TransactionQueue::isBroken() const { return m_impl->isBroken(); }
uint64_t TransactionQueue::transactionCount() const { return m_impl->transactionCount(); }

}  // namespace quarry::metadata
