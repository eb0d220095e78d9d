// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/space_guard.h"

#include <QtTest>

#include "engine/base/bytes.h"
#include "tests/support/manual_clock.h"
#include "tests/support/sim_file.h"

namespace quarry::test {

class SpaceGuardTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void keepsOnePercentAtLeast64MiB();
  void eachUseStopsAtItsOwnPart();
  void countsWhatLandedSinceTheDiskWasAsked();
  void asksTheDiskOnlyNowAndThen();

 private:
  using Use = SpaceGuard::Use;
  static constexpr uint64_t MiB = 1ull << 20;
  SimDisk m_disk{SimDisk::Yield::Never};
  ManualClock m_clock;
  std::atomic<uint64_t> m_landedBlocks = 0;
};

void SpaceGuardTest::keepsOnePercentAtLeast64MiB() {
  for (const auto& [total, reserve] : {std::pair(1000 * MiB, 64 * MiB), std::pair(100'000 * MiB, 1000 * MiB)}) {
    m_disk.setSpace(total, 2000 * MiB);
    const auto space = SpaceGuard(m_disk, "store", m_clock, m_landedBlocks).space();
    QCOMPARE(space.reserveBytes, reserve);
    QCOMPARE(space.availableBytes, 2000 * MiB - reserve);
  }
}

void SpaceGuardTest::eachUseStopsAtItsOwnPart() {
  m_disk.setSpace(1000 * MiB, 100 * MiB);  // reserve 64 MiB, of it 8 for what is small
  SpaceGuard guard(m_disk, "store", m_clock, m_landedBlocks);
  for (const auto& [use, bytes] : {std::pair(Use::Ordinary, 36 * MiB), std::pair(Use::Rewrite, 92 * MiB), std::pair(Use::Small, 100 * MiB)}) {
    QVERIFY(guard.admit(bytes, use));
    QCOMPARE(guard.admit(bytes + 1, use).error().code, ErrorCode::NoSpace);
  }
  m_disk.setSpace(1000 * MiB, 5 * MiB);  // less than any part
  m_clock.advance(std::chrono::seconds(1));
  QVERIFY(guard.admit(0, Use::Ordinary) && !guard.admit(1, Use::Ordinary) && !guard.admit(1, Use::Rewrite) && guard.admit(5 * MiB, Use::Small));
}

void SpaceGuardTest::countsWhatLandedSinceTheDiskWasAsked() {
  m_disk.setSpace(1000 * MiB, 100 * MiB);
  SpaceGuard guard(m_disk, "store", m_clock, m_landedBlocks);
  QVERIFY(guard.admit(36 * MiB, Use::Ordinary));
  m_landedBlocks += 36 * MiB / blockBytes;
  QVERIFY(!guard.admit(1, Use::Ordinary) && guard.admit(56 * MiB, Use::Rewrite));
  QCOMPARE(guard.space().freeBytes, 64 * MiB);
  m_landedBlocks += 1000 * MiB / blockBytes;
  QCOMPARE(guard.space().freeBytes, 0u);
}

void SpaceGuardTest::asksTheDiskOnlyNowAndThen() {
  m_disk.setSpace(1000 * MiB, 100 * MiB);
  SpaceGuard guard(m_disk, "store", m_clock, m_landedBlocks);
  QCOMPARE(guard.space().freeBytes, 100 * MiB);
  m_disk.setSpace(1000 * MiB, 200 * MiB);
  QCOMPARE(guard.space().freeBytes, 100 * MiB);
  m_clock.advance(SpaceGuard::pollInterval);
  QCOMPARE(guard.space().freeBytes, 200 * MiB);
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::SpaceGuardTest)
#include "space_guard_test.moc"
