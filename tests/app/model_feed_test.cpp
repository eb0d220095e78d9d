// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/model_feed.h"

#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "app/models/cache_model.h"
#include "app/models/event_model.h"
#include "app/models/job_model.h"
#include "app/models/stat_model.h"
#include "app/models/vm_model.h"
#include "app/models/vstorage_model.h"
#include "tests/support/fake_engine.h"

using namespace quarry;
using test::FakeEngine;

namespace {

struct Console {
  FakeEngine engine;
  StatHistory history;
  StatModel stats;
  VstorageModel vstorages;
  VmModel vms{history};
  JobModel jobs;
  EventModel events;
  CacheModel cache;
  ModelFeed feed{engine, {history, stats, vstorages, vms, jobs, events, cache}};
};

}  // namespace

class ModelFeedTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void loadsAllAtTheStart() {
    Console console;
    console.engine.loadDemo();
    QTRY_VERIFY(console.feed.isLoaded());
    QTRY_COMPARE(console.vms.rowCount(), 35);
    QTRY_COMPARE(console.jobs.rowCount(), 3);
    QTRY_COMPARE(console.events.rowCount(), 4);
    QTRY_VERIFY(console.feed.status().has_value());
    const QString id = QStringLiteral("engine/read/iops");
    QTRY_COMPARE(console.history.values(id, StatHistory::Span::Day).values.size(), size_t{288});
    QTRY_VERIFY(!std::isnan(console.history.values(id, StatHistory::Span::Month).values.back()));
    QVERIFY(std::isnan(console.history.values(id, StatHistory::Span::Month).values.front()));
  }

  void followsNotifications() {
    Console console;
    console.engine.loadDemo();
    QTRY_COMPARE(console.jobs.rowCount(), 3);
    console.engine.advanceJobs(1);
    QVERIFY(console.jobs.running() == nullptr);
    console.engine.sendEvent({.id = 99, .at = "2026-11-30T01:00:00Z", .severity = protocol::Severity::Info, .subject = "store", .text = "test"});
    QTRY_COMPARE(console.events.rowCount(), 5);
    protocol::VstorageCreate request;
    request.name = "lab3";
    console.engine.createVstorage(request);
    QTRY_COMPARE(console.vstorages.rowCount(), 3);
  }

  void watchesTheUnionOfAllPages() {
    Console console;
    const QStringList always{QStringLiteral("cache/"), QStringLiteral("engine/"), QStringLiteral("vstorage/")};
    QCOMPARE(console.engine.subscribed(), always);
    console.feed.watch(QStringLiteral("vms"), {QStringLiteral("vm/")});
    console.feed.watch(QStringLiteral("dashboard"), {QStringLiteral("vm/"), QStringLiteral("engine/")});
    QCOMPARE(console.engine.subscribed(),
             (QStringList{QStringLiteral("cache/"), QStringLiteral("engine/"), QStringLiteral("vm/"), QStringLiteral("vstorage/")}));
    console.feed.watch(QStringLiteral("vms"), {});
    console.feed.watch(QStringLiteral("dashboard"), {});
    QCOMPARE(console.engine.subscribed(), always);
  }

  void samplesReachHistoryAndModels() {
    Console console;
    console.engine.loadDemo();
    QTRY_COMPARE(console.vms.rowCount(), 35);
    QTRY_VERIFY(console.stats.rowCount() > 0);
    QSignalSpy changed(&console.vms, &QAbstractItemModel::dataChanged);
    console.engine.sendSample();
    QCOMPARE(changed.count(), 0);
    console.feed.watch(QStringLiteral("vms"), {QStringLiteral("vm/")});
    console.engine.sendSample();
    QVERIFY(changed.count() > 0);
    QVERIFY(!std::isnan(console.history.latest(QStringLiteral("engine/read/iops"))));
    QVERIFY(!std::isnan(console.stats.rows().front().value));
  }

  void lastValuesStayWhileTheEngineIsLost() {
    Console console;
    console.engine.loadDemo();
    QTRY_COMPARE(console.vms.rowCount(), 35);
    console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("gone"));
    console.feed.refresh();
    QCOMPARE(console.vms.rowCount(), 35);
    console.engine.vms.resize(10);
    console.engine.setConnection(EngineApi::Connection::Connected);
    QTRY_COMPARE(console.vms.rowCount(), 10);
  }

  void refusalsAreReportedAndTheNextRefreshHeals() {
    Console console;
    QTRY_VERIFY(console.feed.isLoaded());
    QTRY_COMPARE(console.engine.calls().count(QStringLiteral("stats.describe")), 1);
    QSignalSpy failed(&console.feed, &ModelFeed::refreshFailed);
    console.engine.loadDemo();
    console.engine.failNext(ErrorCode::Busy);
    console.feed.refresh();
    QTRY_COMPARE(failed.count(), 1);
    console.feed.refresh();
    QTRY_VERIFY(console.feed.status() && console.feed.status()->vmCount == 35);
  }

  void olderValuesAreAskedForOncePerConnect() {
    Console console;
    console.engine.loadDemo();
    QTRY_VERIFY(console.stats.rowCount() > 0);
    const auto asked = [&] { return console.engine.calls().count(QStringLiteral("stats.history")); };
    const auto described = [&] { return console.engine.calls().count(QStringLiteral("stats.describe")); };
    const auto before = asked();
    QVERIFY(before > 0);
    console.engine.sendVstoragesChanged();
    QTRY_COMPARE(described(), 2);
    QTest::qWait(20);
    QCOMPARE(asked(), before);
    console.engine.setConnection(EngineApi::Connection::Lost);
    console.engine.setConnection(EngineApi::Connection::Connected);
    QTRY_COMPARE(asked(), 2 * before);
  }

  void theCacheIsFollowed() {
    Console console;
    console.engine.loadDemo();
    QTRY_VERIFY(console.cache.info().has_value());
    QTRY_COMPARE(console.cache.rowCount(), 2);
    QTRY_VERIFY(console.cache.curve() != nullptr);
    const uint64_t bytes = console.engine.cache.budgetBytes / 2;
    console.engine.setCacheSize(bytes);
    QTRY_COMPARE(console.cache.info()->budgetBytes, bytes);
    console.engine.cache.dirtyBytes = 77;
    console.feed.refreshCache();
    QTRY_COMPARE(console.cache.info()->dirtyBytes, uint64_t{77});
    console.engine.advice.curves.clear();
    console.feed.refreshAdvice();
    QTRY_VERIFY(console.cache.curve() == nullptr);
  }

  void oneRequestOfAKindAtATime() {
    Console console;
    QTRY_VERIFY(console.feed.isLoaded());
    const auto asked = [&] { return console.engine.calls().count(QStringLiteral("vstorage.list")); };
    const auto before = asked();
    console.engine.holdReplies();
    for (int i = 0; i < 5; ++i) console.engine.sendVstoragesChanged();
    QCOMPARE(asked(), before + 1);
    console.engine.releaseReplies();
    QTRY_COMPARE(asked(), before + 2);
  }
};

QTEST_GUILESS_MAIN(ModelFeedTest)
#include "model_feed_test.moc"
