// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/io_stats.h"

#include <QTest>
#include <cmath>

using namespace quarry;

class IoStatsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void tenIdsWithUnits() {
    StatRegistry registry;
    IoStats stats;
    const StatRegistration registration = registry.add(stats.declare("vm/main/web-1"));
    const auto described = registry.describe();
    QCOMPARE(described.size(), size_t{11});
    std::vector<std::string> ids;
    for (const auto& description : described) {
      ids.push_back(description.id);
      QVERIFY(!description.text.empty());
    }
    const std::vector<std::string> wanted{
        "vm/main/web-1/read/bytes",  "vm/main/web-1/read/hit-ratio",  "vm/main/web-1/read/io-size",  "vm/main/web-1/read/iops",  "vm/main/web-1/read/latency",
        "vm/main/web-1/read/latency-p99",  "vm/main/web-1/write/bytes", "vm/main/web-1/write/io-size", "vm/main/web-1/write/iops",
        "vm/main/web-1/write/latency", "vm/main/web-1/write/latency-p99"};
    QVERIFY(ids == wanted);
    QCOMPARE(described[4].unit, protocol::Unit::Microseconds);
  }

  void countersBecomeRates() {
    StatRegistry registry;
    IoStats stats;
    const StatRegistration registration = registry.add(stats.declare("engine"));
    for (int i = 0; i < 99; ++i) stats.recordRead(4096, 100'000);
    stats.recordRead(8192, 5'000'000);
    stats.recordWrite(512, 2'000);
    auto values = registry.sample(2);
    QCOMPARE(values.at("engine/read/iops"), 50.0);
    QCOMPARE(values.at("engine/read/bytes"), (99 * 4096 + 8192) / 2.0);
    QCOMPARE(values.at("engine/read/io-size"), (99 * 4096 + 8192) / 100.0);
    QCOMPARE(values.at("engine/read/latency"), (99 * 100.0 + 5000) / 100);
    QVERIFY(std::abs(values.at("engine/read/latency-p99") - 100) <= 5);
    QCOMPARE(values.at("engine/write/iops"), 0.5);
    values = registry.sample(1);
    QCOMPARE(values.at("engine/read/iops"), 0.0);
    QVERIFY(std::isnan(values.at("engine/read/latency")) && std::isnan(values.at("engine/read/latency-p99")));
    QVERIFY(std::isnan(values.at("engine/read/io-size")));
  }

  void hitsAreAShareOfTheLastMinute() {
    StatRegistry registry;
    IoStats stats;
    const StatRegistration registration = registry.add(stats.declare("engine"));
    QVERIFY(std::isnan(registry.sample(1).at("engine/read/hit-ratio")));
    stats.recordBlocks(3, 1);
    QCOMPARE(registry.sample(1).at("engine/read/hit-ratio"), 0.75);
    stats.recordBlocks(0, 4);
    QCOMPARE(registry.sample(1).at("engine/read/hit-ratio"), 0.375);
    for (int i = 0; i < 61; ++i) (void)registry.sample(1);
    QVERIFY(std::isnan(registry.sample(1).at("engine/read/hit-ratio")));
  }

  void totalsStay() {
    IoStats stats;
    stats.recordRead(10, 1);
    stats.recordWrite(20, 1);
    QVERIFY(stats.readCount() == 1 && stats.writeCount() == 1 && stats.readBytes() == 10 && stats.writeBytes() == 20);
  }
};

QTEST_GUILESS_MAIN(IoStatsTest)
#include "io_stats_test.moc"
