// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/stat_history.h"

#include <QSignalSpy>
#include <QtTest>
#include <cmath>

using namespace quarry;
using Span = StatHistory::Span;

namespace {
const QString readIops = QStringLiteral("engine/read/iops");
}

class StatHistoryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void spansAreWhatTheEngineKeeps() {
    QCOMPARE(StatHistory::seconds(Span::FiveMinutes), uint64_t{300});
    QCOMPARE(StatHistory::seconds(Span::Hour), uint64_t{3600});
    QCOMPARE(StatHistory::seconds(Span::Day), uint64_t{86'400});
    QCOMPARE(StatHistory::seconds(Span::Month), uint64_t{2'592'000});
  }

  void samplesReachAllSpans() {
    StatHistory history;
    QSignalSpy appended(&history, &StatHistory::appended);
    for (int i = 0; i < 24; ++i) history.append({.unixMs = 1'200'000'000 + i * 1000, .values = {{"engine/read/iops", i}}});
    QCOMPARE(appended.count(), 24);
    QCOMPARE(history.latest(readIops), 23.0);
    QCOMPARE(history.values(readIops, Span::FiveMinutes).values.back(), 23.0);
    const std::vector<double> hour = history.values(readIops, Span::Hour).values;
    QCOMPARE(hour[hour.size() - 2], 5.5);
    QCOMPARE(hour.back(), 17.5);
    QCOMPARE(history.values(readIops, Span::Day).values.back(), 11.5);
    QCOMPARE(history.values(readIops, Span::Month).values.size(), size_t{360});
  }

  void unknownIdsAreEmpty() {
    const StatHistory history;
    QVERIFY(history.values(readIops, Span::Day).values.empty());
    QVERIFY(std::isnan(history.latest(readIops)));
    QVERIFY(!history.contains(readIops));
  }

  void vmsKeepLongSpansOnlyWhenAsked() {
    StatHistory history;
    const QString id = QStringLiteral("vm/lab1/web01/read/iops");
    history.append({.unixMs = 7'200'000'000, .values = {{id.toStdString(), 4}}});
    QVERIFY(history.values(id, Span::Day).values.empty());
    QSignalSpy filled(&history, &StatHistory::filled);
    history.fill(Span::Day, {{.id = id.toStdString(), .firstUnixMs = 7'199'700'000, .stepMs = 300'000, .values = {8, 9}}});
    QCOMPARE(filled.count(), 1);
    QCOMPARE(history.values(id, Span::Day).values.back(), 9.0);
    QCOMPARE(history.latest(id), 4.0);
  }

  void unwatchedIdsEndInAGap() {
    StatHistory history;
    history.append({.unixMs = 10'000, .values = {{"vm/a/b/read/iops", 1}, {"engine/read/iops", 2}}});
    history.append({.unixMs = 12'000, .values = {{"engine/read/iops", 3}}});
    const std::vector<double> vm = history.values(QStringLiteral("vm/a/b/read/iops"), Span::FiveMinutes).values;
    const std::vector<double> engine = history.values(readIops, Span::FiveMinutes).values;
    QCOMPARE(vm.size(), engine.size());
    QCOMPARE(vm[vm.size() - 3], 1.0);
    QVERIFY(std::isnan(vm.back()));
    QCOMPARE(engine.back(), 3.0);
  }

  void idsAreBounded() {
    StatHistory history;
    protocol::StatSample sample{.unixMs = 1000, .values = {}};
    for (size_t i = 0; i < StatHistory::idsMax + 10; ++i) sample.values["vm/v/" + std::to_string(1'000'000 + i) + "/read/iops"] = 1;
    history.append(sample);
    QVERIFY(history.contains(QStringLiteral("vm/v/1000000/read/iops")));
    QVERIFY(!history.contains(QStringLiteral("vm/v/%1/read/iops").arg(1'000'000 + StatHistory::idsMax + 5)));
  }

  void aClockSetBackStartsAgain() {
    StatHistory history;
    const QString id = QStringLiteral("engine/read/iops");
    history.append({.unixMs = 10'000'000, .values = {{id.toStdString(), 5.0}}});
    history.append({.unixMs = 2'000'000, .values = {{id.toStdString(), 7.0}}});
    QCOMPARE(history.values(id, StatHistory::Span::FiveMinutes).values.back(), 7.0);
    history.clear();
    QVERIFY(!history.contains(id));
  }
};

QTEST_GUILESS_MAIN(StatHistoryTest)
#include "stat_history_test.moc"
