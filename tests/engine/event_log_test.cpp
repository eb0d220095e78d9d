// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/event_log.h"

#include <QTemporaryDir>
#include <QTest>
#include <asio/io_context.hpp>

#include "engine/metadata/schema.h"
#include "engine/metadata/transaction_queue.h"
#include "tests/support/manual_clock.h"
#include "tests/support/run_task.h"

using namespace quarry;
using protocol::Severity;

class EventLogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void eventsAreToldAndKept() {
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/history.db";
    auto database = metadata::openHistoryDatabase(path, metadata::DatabaseMode::Create);
    QVERIFY(database.has_value());
    metadata::TransactionQueue queue(std::move(*database), "history");
    const auto history = metadata::HistoryTable::open(path, queue);
    QVERIFY(history.has_value());
    asio::io_context context;
    std::vector<protocol::Event> told;
    ManualClock clock;
    EventLog log(**history, clock, context.get_executor(), [&told](const protocol::Event& event) { told.push_back(event); });
    log.add(Severity::Info, "store", "serving");
    log.add(Severity::Error, "job 4", "failed");
    context.run();
    QCOMPARE(told.size(), size_t{2});
    const auto kept = log.list();
    QVERIFY(kept && kept->size() == 2);
    QCOMPARE(kept->front().text, std::string("failed"));
    QVERIFY(kept->front().severity == Severity::Error && kept->front().id > kept->back().id && kept->back().id == told.front().id);
    QVERIFY(test::runTask((*history)->appendEvent("not an event")).has_value());
    QCOMPARE(log.list()->size(), size_t{2});
  }
};

QTEST_GUILESS_MAIN(EventLogTest)
#include "event_log_test.moc"
