// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/cache_budget.h"

#include <QTest>
#include <vector>

using namespace quarry;
using namespace quarry::cache;

namespace {
constexpr uint64_t mib = uint64_t{1} << 20;
}

class CacheBudgetTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void somethingIsLeftForTheMachine() {
    const CacheLimits limits = cacheLimits();
    QVERIFY(limits.machineBytes > 64 * mib);
    QVERIFY(limits.availableBytes > 0 && limits.availableBytes <= limits.machineBytes);
    QCOMPARE(limits.bytesMin, 16 * mib);
    QVERIFY(limits.bytesMax >= limits.bytesMin);
    QVERIFY(limits.bytesMax == limits.bytesMin || limits.bytesMax <= limits.machineBytes - 1024 * mib);
    QVERIFY(limits.bytesMax == limits.bytesMin || limits.bytesMax <= limits.machineBytes - limits.machineBytes / 10);
  }

  void theDefaultIsAQuarterAndFits() {
    const CacheLimits limits = cacheLimits();
    const uint64_t size = defaultCacheBytes();
    QVERIFY(checkCacheSize(size).has_value());
    QVERIFY(size == limits.bytesMax || size == limits.bytesMin || limits.machineBytes / 4 - size < mib);
  }

  void refusalsNameWhatTheMachineHas() {
    const CacheLimits limits = cacheLimits();
    QVERIFY(checkCacheSize(limits.bytesMin).has_value());
    QVERIFY(checkCacheSize(limits.bytesMax).has_value());
    const auto small = checkCacheSize(limits.bytesMin - 1);
    QVERIFY(!small && small.error().code == ErrorCode::InvalidArgument);
    QVERIFY(small.error().message.find("16 MiB") != std::string::npos);
    const auto large = checkCacheSize(limits.bytesMax + 1);
    QVERIFY(!large && large.error().code == ErrorCode::InvalidArgument);
    QVERIFY(large.error().message.find("the machine has ") != std::string::npos);
    QVERIFY(!checkCacheSize(UINT64_MAX));
  }

  void residentBytesGrowWithWhatIsTouched() {
    const uint64_t before = residentBytesOfProcess();
    QVERIFY(before > 0);
    const std::vector<char> touched(64 * mib, 1);
    QVERIFY(residentBytesOfProcess() >= before + 60 * mib);
    QCOMPARE(touched.back(), char{1});
  }
};

QTEST_GUILESS_MAIN(CacheBudgetTest)
#include "cache_budget_test.moc"
