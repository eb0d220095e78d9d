// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/hit_curve.h"

#include <QTest>
#include <thread>

#include "engine/base/bytes.h"
#include "tests/engine/cache/cache_site.h"
#include "tests/support/manual_clock.h"

using namespace quarry;
using namespace quarry::cache;

namespace {
constexpr size_t points = 50;

// LRU's hit ratio at each size, from the exact stack distances.
class ExactCurve {
 public:
  explicit ExactCurve(size_t keys) : m_tracker(keys + 1), m_counts(keys + 1) {}
  void access(uint64_t key) {
    ++m_total;
    if (const auto distance = m_tracker.access(hashOf({0, key}), 0)) ++m_counts[*distance];
  }
  double at(uint64_t blocks) const {
    uint64_t hits = 0;
    for (uint64_t distance = 0; distance < blocks && distance < m_counts.size(); ++distance) hits += m_counts[distance];
    return static_cast<double>(hits) / static_cast<double>(m_total);
  }

 private:
  ReuseTracker m_tracker;
  std::vector<uint64_t> m_counts;
  uint64_t m_total = 0;
};

struct Comparison {
  double worst = 0;
  double mean = 0;
};

// Sizes within `skip` of `edge` blocks do not count: there the curve is a cliff, and a small fault of the size is a large one of the ratio.
Comparison compare(HitCurve& estimated, const ExactCurve& exact, uint64_t blocksMax, double edge = 0, double skip = 0) {
  Comparison comparison;
  for (const CurvePoint& point : estimated.curve(blocksMax * blockBytes, points)) {
    const uint64_t blocks = point.bytes / blockBytes;
    const double fault = std::abs(point.hitRatio - exact.at(blocks));
    comparison.mean += fault / points;
    if (std::abs(static_cast<double>(blocks) - edge) > skip * edge) comparison.worst = std::max(comparison.worst, fault);
  }
  return comparison;
}
}  // namespace

class HitCurveTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void distancesOfAFewKeysAreExact() {
    ReuseTracker tracker(4);
    QVERIFY(!tracker.access(1, 0));
    QVERIFY(!tracker.access(2, 0));
    QCOMPARE(*tracker.access(1, 0), uint64_t{1});
    QCOMPARE(*tracker.access(1, 0), uint64_t{0});
    for (int i = 0; i < 100; ++i) QCOMPARE(*tracker.access(1 + static_cast<uint64_t>(i % 2 == 0), 1), uint64_t{1});
    QVERIFY(!tracker.access(3, 2));
    tracker.removeUnusedSince(2);
    QCOMPARE(tracker.size(), size_t{1});
    QVERIFY(!tracker.access(1, 3));
    tracker.removeLargest();
    QCOMPARE(*tracker.access(1, 3), uint64_t{0});
  }

  void theTrackerAgreesWithAListOfKeys() {
    ReuseTracker tracker(60);
    std::vector<uint64_t> recent;  // newest first
    Random random(3);
    for (int i = 0; i < 5000; ++i) {
      const uint64_t key = random.below(50);
      const auto at = std::ranges::find(recent, key);
      const auto distance = tracker.access(key, 0);
      QCOMPARE(distance.has_value(), at != recent.end());
      if (distance) QCOMPARE(*distance, static_cast<uint64_t>(at - recent.begin()));
      if (at != recent.end()) recent.erase(at);
      recent.insert(recent.begin(), key);
    }
  }

  void zipfIsWithinTwoPoints() {
    constexpr uint64_t keys = 80'000;
    ManualClock clock;
    HitCurve curve(clock);
    ExactCurve exact(keys);
    const Zipf zipf(keys, 0.9);
    Random random(11);
    for (int i = 0; i < 250'000; ++i) {
      const uint64_t key = zipf.draw(random);
      curve.access({0, key});
      exact.access(key);
    }
    const Comparison result = compare(curve, exact, keys);
    qInfo("zipf: worst %.4f, mean %.4f, rate %.4f", result.worst, result.mean, curve.samplingRate());
    QVERIFY(curve.samplingRate() < 0.2);
    QVERIFY(result.worst < 0.02);
    QCOMPARE(curve.accessCount(), uint64_t{250'000});
  }

  void loopsAreWithinTwoPoints() {
    constexpr uint64_t keys = 30'000;
    ManualClock clock;
    HitCurve curve(clock, {.samplesMax = 4096});
    ExactCurve exact(keys);
    for (uint64_t i = 0; i < 6 * keys; ++i) {
      curve.access({0, i % keys});
      exact.access(i % keys);
    }
    const Comparison result = compare(curve, exact, 2 * keys, keys, 0.05);
    qInfo("loop: worst %.4f away from the edge, mean %.4f", result.worst, result.mean);
    QVERIFY(result.worst < 0.02);
    QVERIFY(result.mean < 0.02);
  }

  void theCurveFollowsTheLastHours() {
    ManualClock clock;
    HitCurve curve(clock, {.samplesMax = 1024, .halfLife = std::chrono::hours(1)});
    const auto loop = [&](uint64_t owner, uint64_t keys, int rounds) {
      for (int round = 0; round < rounds; ++round)
        for (uint64_t i = 0; i < keys; ++i) curve.access({owner, i});
    };
    QVERIFY(curve.curve(1 << 30, points).empty());
    loop(1, 30'000, 3);
    const double rate = curve.samplingRate();
    QVERIFY(curve.curve(20'000 * blockBytes, 1)[0].hitRatio < 0.02);
    for (int hour = 0; hour < 12; ++hour) {
      clock.advance(std::chrono::hours(1));
      loop(2, 1000, 20);
    }
    QVERIFY(curve.curve(20'000 * blockBytes, 1)[0].hitRatio > 0.95);
    QVERIFY(curve.samplingRate() > rate * 4);  // forgotten keys left places
  }

  void accessesFromManyThreadsAreCounted() {
    ManualClock clock;
    HitCurve curve(clock, {.samplesMax = 512});
    std::vector<std::thread> threads;
    for (uint64_t seed = 1; seed <= 4; ++seed)
      threads.emplace_back([&curve, seed] {
        Random random(seed * 1'000'000);
        for (int i = 0; i < 20'000; ++i) curve.access({1, random.below(5000)});
      });
    for (int i = 0; i < 20; ++i) (void)curve.curve(5000 * blockBytes, points);
    for (auto& thread : threads) thread.join();
    QCOMPARE(curve.accessCount(), uint64_t{80'000});
    QVERIFY(std::abs(curve.curve(2500 * blockBytes, 1)[0].hitRatio - 0.5) < 0.06);
  }
};

QTEST_GUILESS_MAIN(HitCurveTest)
#include "hit_curve_test.moc"
