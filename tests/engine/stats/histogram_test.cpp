// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/histogram.h"

#include <QTest>
#include <cmath>
#include <random>
#include <thread>

using namespace quarry;

class HistogramTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void bucketsAreExactToFivePercent() {
    for (uint64_t value = 0; value < (uint64_t{1} << 40); value += 1 + value / 37) {
      const double shown = Histogram::valueOf(Histogram::bucketOf(value));
      const double error = value == 0 ? shown : std::abs(shown - double(value)) / double(value);
      QVERIFY2(error <= 0.05, qPrintable(QString::number(value)));
    }
  }

  void bucketsGrowWithTheValue() {
    size_t before = 0;
    for (uint64_t value = 0; value < (uint64_t{1} << 41); value += 1 + value / 100) {
      const size_t bucket = Histogram::bucketOf(value);
      QVERIFY(bucket >= before && bucket <= before + 1 && bucket < Histogram::bucketCount);
      before = bucket;
    }
  }

  void hugeValuesShareTheLastBucket() { QCOMPARE(Histogram::bucketOf(~uint64_t{0}), Histogram::bucketCount - 1); }

  void windowTellsMeanAndQuantile() {
    Histogram histogram;
    histogram.record(1'000'000'000);  // before the window
    HistogramWindow window(histogram);
    for (uint64_t i = 1; i <= 1000; ++i) histogram.record(i * 1000);
    window.advance();
    QCOMPARE(window.count(), uint64_t{1000});
    QCOMPARE(window.mean(), 500'500.0);
    QVERIFY(std::abs(window.quantile(0.99) - 990'000) <= 0.05 * 990'000);
    QVERIFY(std::abs(window.quantile(0.5) - 500'000) <= 0.05 * 500'000);
    QVERIFY(window.quantile(0) <= 1050 && window.quantile(1) >= 950'000);
  }

  void emptyWindowHasNoNumbers() {
    Histogram histogram;
    HistogramWindow window(histogram);
    histogram.record(5);
    window.advance();
    window.advance();
    QVERIFY(std::isnan(window.mean()) && std::isnan(window.quantile(0.99)));
  }

  void quantilesOfRandomValuesAgreeWithSorting() {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> latency(12, 1.5);
    Histogram histogram;
    HistogramWindow window(histogram);
    std::vector<uint64_t> values;
    for (int i = 0; i < 5000; ++i) {
      values.push_back(static_cast<uint64_t>(latency(random)));
      histogram.record(values.back());
    }
    window.advance();
    std::sort(values.begin(), values.end());
    for (const double share : {0.5, 0.9, 0.99, 0.999}) {
      const auto exact = double(values[static_cast<size_t>(std::ceil(share * 5000)) - 1]);
      QVERIFY(std::abs(window.quantile(share) - exact) <= 0.05 * exact);
    }
  }

  void countsFromSeveralThreads() {
    Histogram histogram;
    HistogramWindow window(histogram);
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([&histogram] {
          for (int j = 0; j < 10000; ++j) histogram.record(3);
        });
    }
    window.advance();
    QCOMPARE(window.count(), uint64_t{40000});
    QCOMPARE(window.mean(), 3.0);
  }
};

QTEST_GUILESS_MAIN(HistogramTest)
#include "histogram_test.moc"
