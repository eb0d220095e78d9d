// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/landing/landing_file.h"

#include <QtTest>
#include <random>

#include "tests/support/run_task.h"
#include "tests/support/sim_file.h"

namespace quarry::test {

class LandingFileTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void isMadeAtTheFirstWrite();
  void survivesPowerLossWithItsName();
  void takesBitsFromTheDiskAfterAFailedWrite();
  void closesOnlyWhenSynced();
  void isNotMadeAgainAfterRemoval();

 private:
  static AlignedBuffer filled(size_t blocks, unsigned char value) {
    AlignedBuffer buffer(blocks * blockBytes);
    std::memset(buffer.data(), value, buffer.size());
    return buffer;
  }
  asio::thread_pool m_workers{1};
};

void LandingFileTest::isMadeAtTheFirstWrite() {
  SimDisk disk;
  LandingFile::Folder folder{disk, "landing", m_workers};
  LandingFile file(folder, 0xabcdef);
  QCOMPARE(LandingFile::pathOf("landing", 0xabcdef), std::string("landing/ef/0000000000abcdef"));
  QVERIFY(runTask(file.load()));
  QCOMPARE(disk.fileCount(), 0u);
  const AlignedBuffer data = filled(2, 7);
  QCOMPARE(runTask(file.write(segmentBytes - blockBytes, data.bytes(), os::Durability::None)).value(), 2u);
  QCOMPARE(disk.fileCount(), 1u);
  QCOMPARE(file.landedBytes(), 2 * blockBytes);
  QCOMPARE(file.landedSegments(), (std::vector<uint32_t>{0, 1}));
  AlignedBuffer back(4 * blockBytes);
  QVERIFY(runTask(file.read(segmentBytes - 2 * blockBytes, back.bytes())));
  QVERIFY(isZero(back.bytes().first(blockBytes)));
  QVERIFY(std::memcmp(back.data() + blockBytes, data.data(), data.size()) == 0);
  const uint64_t before = file.punchCount(1);
  QCOMPARE(runTask(file.punch({segmentBytes, segmentBytes})).value(), blockBytes);
  QVERIFY(file.punchCount(1) != before);
  QCOMPARE(file.landedBytes(), blockBytes);
}

void LandingFileTest::survivesPowerLossWithItsName() {
  SimDisk disk;
  std::mt19937_64 random(1);
  const AlignedBuffer data = filled(1, 9);
  {
    LandingFile::Folder folder{disk, "landing", m_workers};
    LandingFile file(folder, 5);
    QVERIFY(runTask(file.load()));
    QVERIFY(runTask(file.write(blockBytes, data.bytes(), os::Durability::Durable)));
  }
  disk.crash(random);
  LandingFile::Folder folder{disk, "landing", m_workers};
  LandingFile file(folder, 5);
  QVERIFY(runTask(file.load()));
  QVERIFY(file.landed(0)[1] && file.landed(0).count() == 1);
  QVERIFY(!file.isClean());  // what an earlier process left unsynced is ours to sync
  QVERIFY(runTask(file.sync()));
  QVERIFY(file.isClean());
}

void LandingFileTest::takesBitsFromTheDiskAfterAFailedWrite() {
  SimDisk disk;
  LandingFile::Folder folder{disk, "landing", m_workers};
  LandingFile file(folder, 5);
  QVERIFY(runTask(file.load()));
  const AlignedBuffer data = filled(8, 3);
  disk.failAt(1, ErrorCode::NoSpace);
  const auto written = runTask(file.write(0, data.bytes(), os::Durability::Durable));
  QVERIFY(!written && written.error().code == ErrorCode::NoSpace);
  QCOMPARE(file.landed(0).count(), 4u);
}

void LandingFileTest::closesOnlyWhenSynced() {
  SimDisk disk;
  LandingFile::Folder folder{disk, "landing", m_workers};
  LandingFile file(folder, 5);
  QVERIFY(runTask(file.load()));
  const AlignedBuffer data = filled(1, 3);
  QVERIFY(runTask(file.write(0, data.bytes(), os::Durability::None)));
  QVERIFY(!file.closeIfClean());
  QCOMPARE(folder.openCount.load(), 1u);
  QVERIFY(runTask(file.sync()));
  QVERIFY(file.closeIfClean());
  QCOMPARE(folder.openCount.load(), 0u);
  AlignedBuffer back(blockBytes);
  QVERIFY(runTask(file.read(0, back.bytes())));
  QVERIFY(std::memcmp(back.data(), data.data(), blockBytes) == 0);
}

void LandingFileTest::isNotMadeAgainAfterRemoval() {
  SimDisk disk;
  LandingFile::Folder folder{disk, "landing", m_workers};
  LandingFile file(folder, 5);
  QVERIFY(runTask(file.load()));
  const AlignedBuffer data = filled(1, 3);
  QVERIFY(runTask(file.write(0, data.bytes(), os::Durability::None)));
  const uint64_t punches = file.punchCount(0);
  QVERIFY(file.removeBlocking());
  QVERIFY(file.punchCount(0) != punches);  // who read meanwhile looks again
  QCOMPARE(disk.fileCount(), 0u);
  QVERIFY(runTask(file.write(0, data.bytes(), os::Durability::None)).error().code == ErrorCode::Stale);
  AlignedBuffer back(blockBytes);
  QVERIFY(runTask(file.read(0, back.bytes())).error().code == ErrorCode::Stale);
  QCOMPARE(disk.fileCount(), 0u);
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::LandingFileTest)
#include "landing_file_test.moc"
