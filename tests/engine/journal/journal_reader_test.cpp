// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/journal/journal_reader.h"

#include <QTest>

#include "tests/engine/journal/journal_site.h"

using namespace quarry;
using namespace quarry::journal;

class JournalReaderTest : public QObject {
  Q_OBJECT

  // Five groups of one block each: heads at 0, 8192, … of the area, data right behind.
  static void appendFive(JournalSite& site) {
    for (uint64_t i = 0; i < 5; ++i) {
      const MadeBlocks blocks(1, i, 1, i);
      QVERIFY(site.append(writeOf(1, i, blocks)).has_value());
    }
  }
  static std::byte& headOf(JournalSite& site, uint64_t group) { return site.ring()[areaOffset + group * 2 * blockBytes + 16]; }
  static std::byte& dataOf(JournalSite& site, uint64_t group) { return site.ring()[areaOffset + group * 2 * blockBytes + blockBytes + 100]; }

 private Q_SLOTS:
  void everythingIsReplayedInOrder() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    appendFive(site);
    QVERIFY(site.open().has_value());
    QCOMPARE(site.replayed.entries.size(), size_t{5});
    for (uint64_t i = 0; i < 5; ++i) QCOMPARE(site.replayed.entries[i].firstBlock, i);
    QVERIFY(site.replayed.damaged.empty() && site.replayed.lost.empty());
  }

  void tornLastGroupIsNothing() {
    for (const bool inHead : {true, false}) {
      JournalSite site;
      QVERIFY(site.open().has_value());
      appendFive(site);
      (inHead ? headOf(site, 4) : dataOf(site, 4)) ^= std::byte{1};
      QVERIFY(site.open().has_value());
      QCOMPARE(site.replayed.entries.size(), size_t{4});
      QVERIFY(site.replayed.damaged.empty() && site.replayed.lost.empty());
      // What is written next takes its place.
      const MadeBlocks blocks(2, 9, 1, 1);
      QVERIFY(site.append(writeOf(2, 9, blocks)).has_value());
      QVERIFY(site.open().has_value());
      QCOMPARE(site.replayed.entries.size(), size_t{5});
      QCOMPARE(site.replayed.entries[4].fileid, uint64_t{2});
    }
  }

  void damagedDataInTheMiddleIsToldWithWhatItCovers() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    appendFive(site);
    dataOf(site, 2) ^= std::byte{1};
    QVERIFY(site.open().has_value());
    QCOMPARE(site.replayed.entries.size(), size_t{4});
    QCOMPARE(site.replayed.damaged.size(), size_t{1});
    QCOMPARE(site.replayed.damaged[0].fileid, uint64_t{1});
    QCOMPARE(site.replayed.damaged[0].firstBlock, uint64_t{2});
    QCOMPARE(site.replayed.damaged[0].blockCount(), 1u);
  }

  void damagedHeadInTheMiddleLosesItsGroupOnly() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    appendFive(site);
    headOf(site, 1) ^= std::byte{1};
    headOf(site, 2) ^= std::byte{1};
    QVERIFY(site.open().has_value());
    QCOMPARE(site.replayed.entries.size(), size_t{3});
    QCOMPARE(site.replayed.lost, (std::vector<std::pair<uint64_t, uint64_t>>{{2, 3}}));
  }

  void oneDamagedCheckpointIsEnough() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    appendFive(site);
    site.journal->release(3);
    QVERIFY(test::runTask(site.journal->close()).has_value());
    site.ring()[blockBytes + 20] ^= std::byte{1};  // the newer one: the older replays more, which is harmless
    QVERIFY(site.open().has_value());
    QCOMPARE(site.replayed.entries.size(), size_t{5});
  }

  void noCheckpointIsAnError() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    site.ring()[20] ^= std::byte{1};
    const auto opened = site.open();
    QVERIFY(!opened.has_value());
    QVERIFY(opened.error().code == ErrorCode::Corrupt);
    QVERIFY(opened.error().message.find("journal/ring") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(JournalReaderTest)
#include "journal_reader_test.moc"
