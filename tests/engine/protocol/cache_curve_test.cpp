// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/cache_curve.h"

#include <QTest>
#include <cmath>

using namespace quarry::protocol;

namespace {

constexpr uint64_t gib = uint64_t{1} << 30;

// 80 % at 8 GiB, 90 % at 16 GiB, 91 % from 32 GiB on.
CacheCurve bent() {
  return {.vstorage = {}, .accessCount = curveAccessesMin, .points = {{8 * gib, 0.8}, {16 * gib, 0.9}, {32 * gib, 0.91}}};
}

}  // namespace

class CacheCurveTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void readsBetweenPoints() {
    QCOMPARE(hitRatioAt(bent(), 0), 0.0);
    QCOMPARE(hitRatioAt(bent(), 4 * gib), 0.4);
    QCOMPARE(hitRatioAt(bent(), 8 * gib), 0.8);
    QCOMPARE(hitRatioAt(bent(), 12 * gib), 0.85);
    QCOMPARE(hitRatioAt(bent(), 64 * gib), 0.91);
    QCOMPARE(hitRatioAt(CacheCurve{}, gib), 0.0);
  }

  void savedReads() {
    QCOMPARE(savedDiskReads(bent(), 8 * gib, 16 * gib).value(), 0.5);
    QVERIFY(savedDiskReads(bent(), 16 * gib, 8 * gib).value() < -0.99);
    CacheCurve perfect = bent();
    perfect.points.back().hitRatio = 1;
    QVERIFY(!savedDiskReads(perfect, 32 * gib, 64 * gib));
  }

  void advisesWhereMoreIsWorthLittle() {
    const uint64_t advised = advisedBytes(bent(), {.bytesMin = gib / 4, .bytesMax = 48 * gib}).value();
    QCOMPARE(advised, 16 * gib);
    QVERIFY(hitRatioAt(bent(), advised) >= 0.91 - adviceLossMax);
    QCOMPARE(advisedBytes(bent(), {.bytesMin = 20 * gib, .bytesMax = 48 * gib}).value(), 20 * gib);
    QVERIFY(advisedBytes(bent(), {.bytesMin = gib, .bytesMax = 2 * gib}).value() <= 2 * gib);
    QCOMPARE(advisedBytes(bent(), {.bytesMin = gib, .bytesMax = gib}).value(), gib);
    QVERIFY(!advisedBytes(bent(), {.bytesMin = 2, .bytesMax = 1}));
  }

  void tooFewReadsSayNothing() {
    CacheCurve poor = bent();
    poor.accessCount = curveAccessesMin - 1;
    QVERIFY(!isMeaningful(poor));
    QVERIFY(!savedDiskReads(poor, gib, 2 * gib));
    QVERIFY(!advisedBytes(poor, {.bytesMin = 0, .bytesMax = gib}));
    QVERIFY(!isMeaningful({.vstorage = {}, .accessCount = curveAccessesMin, .points = {}}));
  }

  void nonsenseStaysARatio() {
    const CacheCurve odd{.vstorage = {}, .accessCount = curveAccessesMin, .points = {{4, std::nan("")}, {4, 7}, {2, -1}}};
    for (const uint64_t bytes : {0, 1, 3, 4, 5, 100}) {
      const double hits = hitRatioAt(odd, bytes);
      QVERIFY(hits >= 0 && hits <= 1);
    }
  }

  void theEngineHasNoVstorage() {
    CacheAdvice advice;
    QVERIFY(!engineCurve(advice));
    advice.curves = {{.vstorage = "a", .accessCount = 1, .points = {}}, {.vstorage = "", .accessCount = 2, .points = {}}};
    QCOMPARE(engineCurve(advice)->accessCount, uint64_t{2});
  }
};

QTEST_GUILESS_MAIN(CacheCurveTest)
#include "cache_curve_test.moc"
