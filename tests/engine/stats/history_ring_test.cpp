// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/history_ring.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace quarry;

class HistoryRingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void emptyRingHasNothing() {
    const HistoryRing ring({10, 1});
    const auto values = ring.until(50'000);
    QCOMPARE(values.size(), size_t{10});
    for (const double value : values) QVERIFY(std::isnan(value));
  }

  void valuesComeOldestFirst() {
    HistoryRing ring({3, 1});
    for (int second = 100; second < 106; ++second) ring.add(second * 1000 + 7, second);
    const std::vector<double> wanted{103, 104, 105};
    QCOMPARE(ring.until(105'900), wanted);
    QCOMPARE(ring.firstMs(105'900), int64_t{103'000});
  }

  void stepsHoldMeans() {
    HistoryRing ring({20, 10});
    ring.add(1'000'000, 1);
    ring.add(1'001'000, 3);
    ring.add(1'002'000, std::nan(""));
    QCOMPARE(ring.until(1'009'000).back(), 2.0);
  }

  void gapsAreNotNumbers() {
    HistoryRing ring({4, 1});
    ring.add(10'000, 1);
    ring.add(12'000, 2);
    const auto values = ring.until(13'000);
    QVERIFY(values[0] == 1 && std::isnan(values[1]) && values[2] == 2 && std::isnan(values[3]));
  }

  void longPauseEmptiesTheRing() {
    HistoryRing ring({3, 1});
    ring.add(10'000, 1);
    ring.add(1'000'000, 2);
    const auto values = ring.until(1'000'000);
    QVERIFY(std::isnan(values[0]) && std::isnan(values[1]) && values[2] == 2);
    for (const double value : ring.until(2'000'000)) QVERIFY(std::isnan(value));
  }

  void clockThatGoesBackForgetsTheFuture() {
    HistoryRing ring({5, 1});
    for (int second = 10; second < 15; ++second) ring.add(second * 1000, second);
    ring.add(12'000, 99);
    const auto values = ring.until(14'000);
    QVERIFY(values[0] == 10 && values[1] == 11 && values[2] == 99 && std::isnan(values[3]) && std::isnan(values[4]));
  }

  void restoredRingGoesOn() {
    HistoryRing ring({5, 1});
    ring.add(10'000, 4);
    HistoryRing copy({5, 1});
    copy.restore(ring.lastSlot(), ring.values());
    QCOMPARE(copy.until(10'000).back(), 4.0);
    copy.add(11'000, 5);
    QCOMPARE(copy.until(11'000)[3], 4.0);
  }
};

QTEST_GUILESS_MAIN(HistoryRingTest)
#include "history_ring_test.moc"
