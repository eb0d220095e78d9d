// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_scale.h"

#include <QTest>
#include <cmath>

using namespace quarry;

class ChartScaleTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void roundsUp();
  void growsAtOnceAndShrinksLate();
  void labelsAreInOneUnit();
  void ticksEndNow();
  void decimationKeepsPeaksAndGaps();
  void gapsSplit();
};

void ChartScaleTest::roundsUp() {
  QCOMPARE(roundUp(0), 1.0);
  QCOMPARE(roundUp(1), 1.0);
  QCOMPARE(roundUp(1.01), 1.5);
  QCOMPARE(roundUp(1700), 2000.0);
  QCOMPARE(roundUp(76), 100.0);
  QCOMPARE(roundUp(0.03), 0.03);
}

void ChartScaleTest::growsAtOnceAndShrinksLate() {
  ValueScale scale(protocol::Unit::Count);
  QVERIFY(scale.fit(7500));
  QCOMPARE(scale.maximum(), 8000.0);
  QVERIFY(!scale.fit(5000));
  QCOMPARE(scale.maximum(), 8000.0);
  QVERIFY(scale.fit(8100));
  QCOMPARE(scale.maximum(), 10000.0);
  QVERIFY(scale.fit(3900));
  QCOMPARE(scale.maximum(), 4000.0);
}

void ChartScaleTest::labelsAreInOneUnit() {
  ValueScale scale(protocol::Unit::BytesPerSecond);
  scale.fit(280.0 * 1024 * 1024);
  QCOMPARE(scale.label(4), QStringLiteral("300"));
  QCOMPARE(scale.label(1), QStringLiteral("75"));
  QVERIFY(scale.unitText().startsWith(QStringLiteral("MiB")));
  ValueScale latency(protocol::Unit::Microseconds);
  latency.fit(1900);
  QCOMPARE(latency.label(4), QStringLiteral("2"));
  QCOMPARE(latency.unitText(), QStringLiteral("ms"));
}

void ChartScaleTest::ticksEndNow() {
  for (const double span : {300.0, 3600.0, 86400.0, 2592000.0}) {
    const QList<TimeTick> ticks = timeTicks(span);
    QCOMPARE(ticks.first().seconds, -span);
    QCOMPARE(ticks.last().seconds, 0.0);
    QVERIFY(ticks.size() >= 5);
  }
  QCOMPARE(timeTicks(300).first().text, QStringLiteral("−5 min"));
  QCOMPARE(timeTicks(86400).at(1).text, QStringLiteral("−18"));
}

void ChartScaleTest::decimationKeepsPeaksAndGaps() {
  QList<QPointF> points;
  for (int i = 0; i < 10'000; ++i) points.append({double(i), i == 4321 ? 99.0 : 1.0});
  points[7000].setY(std::nan(""));
  const QList<QPointF> out = decimated(points, 300);
  QVERIFY(out.size() <= 2 * 300 + 3);
  QVERIFY(std::any_of(out.begin(), out.end(), [](const QPointF& point) { return point.y() == 99; }));
  QVERIFY(std::any_of(out.begin(), out.end(), [](const QPointF& point) { return std::isnan(point.y()); }));
  QVERIFY(std::is_sorted(out.begin(), out.end(), [](const QPointF& one, const QPointF& other) { return one.x() < other.x(); }));
}

void ChartScaleTest::gapsSplit() {
  const double none = std::nan("");
  const auto stretches = withoutGaps({{0, none}, {1, 5}, {2, 6}, {3, none}, {4, none}, {5, 7}});
  QCOMPARE(stretches.size(), 2);
  QCOMPARE(stretches[0].size(), 2);
  QCOMPARE(stretches[1].first(), QPointF(5, 7));
  QVERIFY(withoutGaps({{0, none}}).isEmpty());
}

QTEST_GUILESS_MAIN(ChartScaleTest)
#include "chart_scale_test.moc"
