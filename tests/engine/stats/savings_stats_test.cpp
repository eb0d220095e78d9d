// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/savings_stats.h"

#include <QTest>

using namespace quarry;

class SavingsStatsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void eachGaugeShowsItsMember() {
    StatRegistry registry;
    SavingsStats stats;
    const StatRegistration registration = registry.add(stats.declare("vstorage/a"));
    stats.set({.logicalBytes = 100, .zeroBytes = 1, .duplicateBytes = 2, .compressedAwayBytes = 3, .storedBytes = 94, .landingBytes = 5});
    const std::map<std::string, double> wanted{
        {"vstorage/a/savings/logical", 100}, {"vstorage/a/savings/zero", 1},    {"vstorage/a/savings/duplicate", 2},
        {"vstorage/a/savings/compressed", 3}, {"vstorage/a/savings/stored", 94}, {"vstorage/a/savings/landing", 5}};
    QVERIFY(registry.sample(1) == wanted);
  }
};

QTEST_GUILESS_MAIN(SavingsStatsTest)
#include "savings_stats_test.moc"
