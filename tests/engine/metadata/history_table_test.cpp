// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/history_table.h"

#include <QTemporaryDir>
#include <QTest>

#include "engine/base/spawn.h"
#include "engine/metadata/schema.h"
#include "engine/metadata/transaction_queue.h"
#include "tests/support/run_task.h"

using namespace quarry;
using namespace quarry::metadata;
using quarry::test::runTask;

namespace {
Task<void> appendOne(HistoryTable& table, int number) { (void)co_await table.appendEvent("{\"n\":" + std::to_string(number) + "}"); }
}  // namespace

class HistoryTableTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    const std::string path = m_folder.path().toStdString() + "/history.db";
    auto database = openHistoryDatabase(path, DatabaseMode::Create);
    QVERIFY(database);
    m_queue = std::make_unique<TransactionQueue>(std::move(*database), "history");
    auto table = HistoryTable::open(path, *m_queue);
    QVERIFY(table);
    m_table = std::move(*table);
  }

  void ringsComeBack() {
    QVERIFY(!*m_table->loadRing("1h"));
    QVERIFY(runTask(m_table->saveRing("1h", {std::byte{1}, std::byte{2}})));
    QVERIFY(runTask(m_table->saveRing("1h", {std::byte{3}})));
    QVERIFY(**m_table->loadRing("1h") == std::vector<std::byte>{std::byte{3}});
  }

  void jobsAreReplacedById() {
    QCOMPARE(*m_table->nextJobId(), 1);
    QVERIFY(runTask(m_table->saveJob({1, "running"})));
    QVERIFY(runTask(m_table->saveJob({1, "done"})));
    QVERIFY(runTask(m_table->saveJob({2, "queued"})));
    auto jobs = m_table->jobs(10);
    QCOMPARE(jobs->size(), 2u);
    QCOMPARE(jobs->front().id, 2);
    QCOMPARE(jobs->back().record, std::string("done"));
    QCOMPARE(*m_table->nextJobId(), 3);
  }

  void eventsAreBounded() {
    asio::io_context context;
    constexpr int count = HistoryTable::eventsMax + 500;
    for (int i = 0; i < count; ++i) spawn(context, appendOne(*m_table, i));
    context.run();
    auto events = m_table->events(static_cast<size_t>(count));
    QCOMPARE(events->size(), static_cast<size_t>(HistoryTable::eventsMax));
    QCOMPARE(events->front().id, count);
    QCOMPARE(events->front().record, "{\"n\":" + std::to_string(count - 1) + "}");
  }

  void cleanupTestCase() {
    m_table.reset();
    m_queue.reset();
  }

 private:
  QTemporaryDir m_folder;
  std::unique_ptr<TransactionQueue> m_queue;
  std::unique_ptr<HistoryTable> m_table;
};

QTEST_GUILESS_MAIN(HistoryTableTest)
#include "history_table_test.moc"
