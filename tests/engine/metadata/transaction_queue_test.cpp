// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/transaction_queue.h"

#include <QTemporaryDir>
#include <QTest>
#include <asio/io_context.hpp>
#include <atomic>
#include <future>

#include "engine/base/spawn.h"
#include "engine/metadata/schema.h"

using namespace quarry;
using namespace quarry::metadata;

namespace {

Result<void> addSetting(Database& database, int number) {
  return database.run("INSERT INTO settings VALUES (?, 'x')", std::string_view(std::to_string(number)));
}

Task<void> submitOne(TransactionQueue& queue, int number, std::atomic<int>& done) {
  TransactionQueue::Work work = [number](Database& database) { return addSetting(database, number); };
  auto submitted = co_await queue.submit(std::move(work));
  if (submitted) ++done;
}

int64_t settingCount(TransactionQueue& queue) {
  int64_t count = -1;
  const auto read = queue.submitAndWait([&count](Database& database) -> Result<void> {
    auto statement = database.prepare("SELECT count(*) FROM settings");
    if (!statement || !*statement->step()) return fail(ErrorCode::Internal, "no count");
    count = statement->integer(0);
    return {};
  });
  return read ? count : -1;
}

}  // namespace

class TransactionQueueTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    auto database = openNamespaceDatabase(m_folder->path().toStdString() + "/namespace.db", DatabaseMode::Create);
    QVERIFY(database);
    (*database)->setCommitFault([this] { return m_commitFails.load(); });
    m_queue = std::make_unique<TransactionQueue>(std::move(*database), "a name longer than fifteen");
  }
  void cleanup() {
    m_queue.reset();
    m_commitFails = false;
  }

  // While the queue's thread is held up, everything else gathers and goes into one transaction.
  void waitersShareOneTransaction() {
    std::promise<void> started, mayEnd;
    std::atomic<int> done = 0;
    asio::io_context context;
    auto blocker = std::async(std::launch::async, [&] {
      return m_queue->submitAndWait([&](Database&) -> Result<void> {
        started.set_value();
        mayEnd.get_future().wait();
        return {};
      });
    });
    started.get_future().wait();
    for (int i = 0; i < 300; ++i) spawn(context, submitOne(*m_queue, i, done));
    context.poll();
    mayEnd.set_value();
    context.run();
    QVERIFY(blocker.get());
    QCOMPARE(done.load(), 300);
    QCOMPARE(m_queue->transactionCount(), 2u);
  }

  void failedChangeIsRolledBackAlone() {
    bool wasDurable = false;
    const auto half = m_queue->submitAndWait(
        [](Database& database) -> Result<void> {
          if (auto added = addSetting(database, 1); !added) return added;
          return fail(ErrorCode::NotEmpty, "changed its mind");
        },
        [&] { wasDurable = true; });
    QCOMPARE(half.error().code, ErrorCode::NotEmpty);
    QVERIFY(!wasDurable);
    QVERIFY(m_queue->submitAndWait([](Database& database) { return addSetting(database, 2); }, [&] { wasDurable = true; }));
    QVERIFY(wasDurable);
    QCOMPARE(settingCount(*m_queue), 1);
  }

  void failedTransactionTellsFirstAndTheQueueGoesOn() {
    std::atomic<int> failures = 0;
    m_queue->setOnFailed([&](const Error& error, Database&) -> Result<void> {
      if (error.code == ErrorCode::NoSpace) ++failures;
      return {};
    });
    m_commitFails = true;
    const auto failed = m_queue->submitAndWait([](Database& database) { return addSetting(database, 1); });
    QCOMPARE(failed.error().code, ErrorCode::NoSpace);
    QCOMPARE(failures.load(), 1);
    QVERIFY(!m_queue->isBroken());
    m_commitFails = false;
    QVERIFY(m_queue->submitAndWait([](Database& database) { return addSetting(database, 1); }));
    QCOMPARE(settingCount(*m_queue), 1);
  }

  // SQLite ends the transaction by itself when the disk answers with an error.
  void anErrorOfTheDiskIsFinalAndTold() {
    std::vector<std::string> told;
    m_queue->setOnBroken([&](const Error& error) { told.push_back(error.message); });
    const auto failed = m_queue->submitAndWait([](Database& database) -> Result<void> {
      if (auto ended = database.runScript("ROLLBACK"); !ended) return ended;
      return fail(ErrorCode::IoError, "the disk is ill");
    });
    QCOMPARE(failed.error().code, ErrorCode::IoError);
    QVERIFY(m_queue->isBroken());
    const auto later = m_queue->submitAndWait([](Database& database) { return addSetting(database, 1); });
    QCOMPARE(later.error().message, std::string("the disk is ill"));
    QCOMPARE(told, std::vector<std::string>{"the disk is ill"});
  }

  void aFullDiskIsFinalWhenItsChangesCannotBeUndone() {
    std::vector<std::string> told;
    m_queue->setOnFailed([](const Error&, Database&) -> Result<void> { return fail(ErrorCode::IoError, "cannot be undone"); });
    m_queue->setOnBroken([&](const Error& error) { told.push_back(error.message); });
    m_commitFails = true;
    QCOMPARE(m_queue->submitAndWait([](Database& database) { return addSetting(database, 1); }).error().code, ErrorCode::NoSpace);
    m_commitFails = false;
    QVERIFY(!m_queue->submitAndWait([](Database& database) { return addSetting(database, 1); }));
    QCOMPARE(told, std::vector<std::string>{"cannot be undone"});
  }

  void submittedWorkIsDoneBeforeTheQueueEnds() {
    std::atomic<int> done = 0;
    asio::io_context context;
    for (int i = 0; i < 100; ++i) spawn(context, submitOne(*m_queue, i, done));
    context.poll();
    m_queue.reset();
    context.run();
    QCOMPARE(done.load(), 100);
  }

 private:
  std::unique_ptr<QTemporaryDir> m_folder;
  std::atomic<bool> m_commitFails = false;
  std::unique_ptr<TransactionQueue> m_queue;
};

QTEST_GUILESS_MAIN(TransactionQueueTest)
#include "transaction_queue_test.moc"
