// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/stat_ring.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace quarry;

namespace {
constexpr double gap = std::numeric_limits<double>::quiet_NaN();

bool sameValues(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}
}  // namespace

class StatRingTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void emptyIsAllGaps() {
    const StatRing ring({.stepMs = 1000, .sampleCount = 3});
    QVERIFY(ring.isEmpty());
    QVERIFY(sameValues(ring.values().values, {gap, gap, gap}));
  }

  void oldestComesFirstAndOldOnesFallOut() {
    StatRing ring({.stepMs = 1000, .sampleCount = 3});
    for (int i = 1; i <= 5; ++i) ring.put(100'000 + i * 1000, i);
    const StatValues values = ring.values();
    QVERIFY(sameValues(values.values, {3, 4, 5}));
    QCOMPARE(values.firstUnixMs, int64_t{103'000});
    QCOMPARE(values.stepMs, int64_t{1000});
  }

  void missingStepsStayGaps() {
    StatRing ring({.stepMs = 1000, .sampleCount = 4});
    ring.put(10'000, 1);
    ring.put(12'000, 3);
    QVERIFY(sameValues(ring.values().values, {gap, 1, gap, 3}));
    ring.put(1'000'000, 7);
    QVERIFY(sameValues(ring.values().values, {gap, gap, gap, 7}));
  }

  void stepsAreMeans() {
    StatRing ring({.stepMs = 12'000, .sampleCount = 2});
    for (int i = 0; i < 12; ++i) ring.put(120'000 + i * 1000, i);
    ring.put(132'000, 100);
    QVERIFY(sameValues(ring.values().values, {5.5, 100}));
  }

  void lateSamplesAreDropped() {
    StatRing ring({.stepMs = 1000, .sampleCount = 3});
    ring.put(10'000, 1);
    ring.put(9'000, 5);
    ring.put(-5, 5);
    QVERIFY(sameValues(ring.values().values, {gap, gap, 1}));
  }

  void fillTakesOnlyWhatIsMissing() {
    StatRing ring({.stepMs = 1000, .sampleCount = 5});
    ring.put(14'000, 40);
    ring.fill({.firstUnixMs = 8'000, .stepMs = 1000, .values = {1, 2, 3, gap, 5, 6, 7}});
    QVERIFY(sameValues(ring.values().values, {3, gap, 5, 6, 40}));
  }

  void fillMayBeNewer() {
    StatRing ring({.stepMs = 1000, .sampleCount = 3});
    ring.put(10'000, 1);
    ring.fill({.firstUnixMs = 10'000, .stepMs = 1000, .values = {9, 2}});
    QVERIFY(sameValues(ring.values().values, {gap, 1, 2}));
  }

  void fillOfNonsenseIsHarmless() {
    StatRing ring({.stepMs = 1000, .sampleCount = 3});
    ring.put(10'000, 1);
    ring.fill({.firstUnixMs = -5, .stepMs = 1000, .values = {1}});
    ring.fill({.firstUnixMs = 5, .stepMs = 0, .values = {1}});
    ring.fill({});
    QVERIFY(sameValues(ring.values().values, {gap, gap, 1}));
  }

  void endMayBeLater() {
    StatRing ring({.stepMs = 1000, .sampleCount = 3});
    ring.put(10'000, 1);
    ring.put(11'000, 2);
    const StatValues values = ring.values(12'500);
    QVERIFY(sameValues(values.values, {1, 2, gap}));
    QCOMPARE(values.firstUnixMs, int64_t{10'000});
    QVERIFY(sameValues(ring.values(90'000).values, {gap, gap, gap}));
  }
};

QTEST_GUILESS_MAIN(StatRingTest)
#include "stat_ring_test.moc"
