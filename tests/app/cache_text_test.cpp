// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/cache_text.h"

#include <QtTest>

#include "app/format/write_mode_text.h"
#include "engine/protocol/cache_curve.h"
#include "tests/support/demo_data.h"

using namespace quarry;

namespace {

constexpr uint64_t gib = 1ull << 30;

protocol::CacheInfo sized(uint64_t bytes) {
  protocol::CacheInfo info;
  info.budgetBytes = bytes;
  info.budgetBytesMin = gib / 4;
  info.budgetBytesMax = 48 * gib;
  info.machineBytes = 64 * gib;
  info.machineAvailableBytes = 41 * gib;
  return info;
}

// 80 % at 8 GiB, 90 % at 16 GiB, 90.4 % at 48 GiB.
const protocol::CacheCurve bent{.vstorage = {}, .accessCount = 50'000, .points = {{8 * gib, 0.8}, {16 * gib, 0.9}, {48 * gib, 0.904}}};

}  // namespace

class CacheTextTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void sizesThatCannotBe() {
    const CacheRoom room = roomOf(sized(8 * gib));
    QVERIFY(cacheSizeProblem(room, 48 * gib).isEmpty());
    QVERIFY(cacheSizeProblem(room, gib / 4).isEmpty());
    const QString tooMuch = cacheSizeProblem(room, 50 * gib);
    QVERIFY2(tooMuch.contains(QStringLiteral("50 GiB")) && tooMuch.contains(QStringLiteral("64 GiB")) && tooMuch.contains(QStringLiteral("48 GiB")),
             qPrintable(tooMuch));
    QVERIFY(cacheSizeProblem(room, gib / 8).contains(QStringLiteral("256 MiB")));
    QCOMPARE(machineText(room), QStringLiteral("This machine has 64 GiB, 41 GiB free."));
    QVERIFY(!CacheRoom{}.isKnown());
    QVERIFY(cacheSizeProblem({}, gib).isEmpty());
  }

  void worthOfAnotherSize() {
    protocol::CacheInfo info = sized(8 * gib);
    QCOMPARE(cacheWorthText(info, &bent, 16 * gib), QStringLiteral("8 GiB more would give 50 % fewer disk reads."));
    info.diskReadsPerSecond = 400;
    QVERIFY(cacheWorthText(info, &bent, 16 * gib).contains(QStringLiteral("about 200 a second")));
    info.budgetBytes = 16 * gib;
    QVERIFY(cacheWorthText(info, &bent, 12 * gib).startsWith(QStringLiteral("4 GiB less would give 50 % more disk reads")));
    QVERIFY(cacheWorthText(info, &bent, 4 * gib).contains(QStringLiteral("6 ×")));
    info.budgetBytes = 47 * gib;
    QCOMPARE(cacheWorthText(info, &bent, 48 * gib), QStringLiteral("1 GiB more would save next to no disk reads."));
  }

  void worthAsItIs() {
    const protocol::CacheInfo small = sized(8 * gib);
    const auto advised = advisedSize(small, &bent);
    QVERIFY(advised && *advised > 12 * gib && *advised <= 16 * gib);
    QVERIFY(cacheWorthText(small, &bent, 8 * gib).contains(QStringLiteral("fewer disk reads")));
    QVERIFY(cacheWorthText(sized(40 * gib), &bent, 40 * gib).endsWith(QStringLiteral("would do nearly as well.")));
    QVERIFY(!advisedSize(sized(*advised), &bent));
    QVERIFY(cacheWorthText(sized(*advised), &bent, *advised).startsWith(QStringLiteral("A good size")));
  }

  void tooLittleDataIsSaid() {
    protocol::CacheCurve poor = bent;
    poor.accessCount = 1'234;
    QVERIFY(cacheWorthText(sized(gib), &poor, 2 * gib).contains(QStringLiteral("1,234 of the 10,000")));
    QVERIFY(cacheWorthText(sized(gib), nullptr, gib).contains(QStringLiteral("not known yet: 0 of")));
    QVERIFY(!advisedSize(sized(gib), &poor));
    QVERIFY(!advisedSize(sized(gib), nullptr));
  }

  void writeModesInWords() {
    using protocol::WriteMode;
    for (const WriteMode mode : {WriteMode::Safe, WriteMode::Through, WriteMode::Ram}) {
      QVERIFY(!writeModeText(mode).isEmpty() && !writeModeTitle(mode).isEmpty() && !writeModeSentence(mode).isEmpty());
      QCOMPARE(powerCutText(mode).contains(QStringLiteral("nothing")), !isUnprotected(mode));
    }
    QVERIFY(isUnprotected(WriteMode::Ram));
    QCOMPARE(unprotectedText({.bytes = 0, .oldestSeconds = 9}), QStringLiteral("0 B"));
  }
};

QTEST_GUILESS_MAIN(CacheTextTest)
#include "cache_text_test.moc"
