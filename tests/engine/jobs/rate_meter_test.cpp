// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/rate_meter.h"

#include <QTest>

using namespace quarry;
using namespace std::chrono_literals;

class RateMeterTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void unknownAtFirst() {
    RateMeter meter;
    QCOMPARE(meter.bytesPerSecond(), uint64_t{0});
    QCOMPARE(meter.secondsLeft(100), uint64_t{0});
    meter.add(at(0s), 50);
    QCOMPARE(meter.bytesPerSecond(), uint64_t{0});
    meter.add(at(0s), 70);
    QCOMPARE(meter.bytesPerSecond(), uint64_t{0});
  }

  void meanOfTheLastTenSeconds() {
    RateMeter meter;
    for (int second = 0; second <= 20; ++second) meter.add(at(std::chrono::seconds(second)), static_cast<uint64_t>(second) * 1000);
    for (int second = 21; second <= 30; ++second) meter.add(at(std::chrono::seconds(second)), 20'000 + static_cast<uint64_t>(second - 20) * 10);
    QCOMPARE(meter.bytesPerSecond(), uint64_t{10});
    QCOMPARE(meter.secondsLeft(20'200), uint64_t{10});
  }

  void nothingLeftWhenDone() {
    RateMeter meter;
    meter.add(at(0s), 0);
    meter.add(at(1s), 500);
    QCOMPARE(meter.secondsLeft(500), uint64_t{0});
    QCOMPARE(meter.secondsLeft(400), uint64_t{0});
    QCOMPARE(meter.secondsLeft(501), uint64_t{1});
  }

  void standStill() {
    RateMeter meter;
    for (int second = 0; second < 30; ++second) meter.add(at(std::chrono::seconds(second)), 5);
    QCOMPARE(meter.bytesPerSecond(), uint64_t{0});
    QCOMPARE(meter.secondsLeft(100), uint64_t{0});
  }

 private:
  static RateMeter::TimePoint at(std::chrono::seconds since) { return RateMeter::TimePoint(since); }
};

QTEST_GUILESS_MAIN(RateMeterTest)
#include "rate_meter_test.moc"
