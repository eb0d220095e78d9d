// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/dirty_blocks.h"

#include <QTest>
#include <atomic>
#include <thread>

#include "tests/engine/journal/journal_site.h"
#include "tests/support/manual_clock.h"

using namespace quarry;
using namespace quarry::cache;

namespace {
constexpr SteadyTime begin{std::chrono::seconds(1000)};

class Site {
  journal::JournalSite m_journalSite;  // first: the dirty blocks release their entries when they go

 public:
  Site() {
    (void)m_journalSite.open();
    needs.attach(*m_journalSite.journal);
  }
  std::vector<BlockRef> blocks(size_t count, char fill) {
    std::vector<BlockRef> made;
    for (size_t i = 0; i < count; ++i) {
      made.push_back(pool.allocateBeyond());
      std::memset(made.back().fill().data(), fill, blockBytes);
    }
    return made;
  }
  // Appends a group, as a writer does after put(); its number.
  uint64_t append() {
    const journal::MadeBlocks block(1, 0, 1, 1);
    return *m_journalSite.append(journal::writeOf(1, 0, block));
  }
  uint64_t firstNeeded() const { return m_journalSite.journal->firstNeeded(); }
  char at(uint64_t block) const {
    std::vector<BlockRef> found(1);
    return dirty.find(block, found) == 0 ? '-' : static_cast<char>(found[0].bytes()[0]);
  }

  BlockPool pool{64 << 20, 16 << 20};
  JournalNeeds needs;
  ManualClock clock;
  CacheAccount engine{clock};
  std::shared_ptr<CacheAccount> account = std::make_shared<CacheAccount>(clock);
  DirtyBlocks dirty{{needs, engine}, account};
};
}  // namespace

class DirtyBlocksTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theNewestVersionIsFoundAndOlderOnesAreAbsorbed() {
    Site site;
    site.dirty.put(10, site.blocks(4, 'a'), Promise::None, begin);
    std::vector<BlockRef> held(1);
    QCOMPARE(site.dirty.find(11, held), size_t{1});
    site.dirty.put(11, site.blocks(1, 'b'), Promise::None, begin);
    QCOMPARE(site.at(10), 'a');
    QCOMPARE(site.at(11), 'b');
    QCOMPARE(site.at(14), '-');
    QCOMPARE(static_cast<char>(held[0].bytes()[0]), 'a');  // what a reader holds does not change
    QCOMPARE(site.engine.absorbedBlocks.load(), uint64_t{1});
    QCOMPARE(site.account->dirtyBlocks.load(), uint64_t{4});
  }

  void anEntryIsNeededUntilItsBlockLanded() {
    Site site;
    site.dirty.put(1, site.blocks(1, 'a'), Promise::Journal, begin);
    const uint64_t pin = site.needs.pin(), sequence = site.append();
    QVERIFY(site.dirty.protect(1, 1, sequence));
    site.needs.drop(pin);
    (void)site.append();
    QCOMPARE(site.firstNeeded(), sequence);
    const auto run = site.dirty.take({0, 10});
    QCOMPARE(run.blocks.size(), size_t{1});
    QVERIFY(run.blocks[0].isJournaled);
    QVERIFY(run.before > sequence);
    site.dirty.landed(run.blocks, [](uint64_t, const BlockRef&) {});
    QVERIFY(site.dirty.isEmpty());
    QVERIFY(site.firstNeeded() > sequence);
  }

  void anEntryIsNeededWhileItsSuccessorIsInRamAlone() {
    Site site;
    site.dirty.put(1, site.blocks(1, 'a'), Promise::Journal, begin);
    uint64_t pin = site.needs.pin();
    const uint64_t first = site.append();
    QVERIFY(site.dirty.protect(1, 1, first));
    site.needs.drop(pin);
    site.dirty.put(1, site.blocks(1, 'b'), Promise::None, begin);  // UNSTABLE
    QCOMPARE(site.firstNeeded(), first);
    QCOMPARE(site.dirty.unjournaledCount(), uint64_t{1});
    QVERIFY(!site.dirty.take({1, 1}).blocks[0].isJournaled);
    pin = site.needs.pin();
    const uint64_t second = site.append();
    QVERIFY(site.dirty.protect(1, 1, second));
    site.needs.drop(pin);
    QCOMPARE(site.firstNeeded(), second);
    QCOMPARE(site.dirty.unjournaledCount(), uint64_t{0});
  }

  void whatWasOverwrittenWhileItLandedStaysDirty() {
    Site site;
    site.dirty.put(1, site.blocks(2, 'a'), Promise::Unprotected, begin);
    const auto run = site.dirty.take({0, 10});
    site.dirty.put(2, site.blocks(1, 'b'), Promise::Unprotected, begin);
    std::vector<uint64_t> clean;
    site.dirty.landed(run.blocks, [&clean](uint64_t block, const BlockRef&) { clean.push_back(block); });
    QCOMPARE(clean, std::vector<uint64_t>{1});
    QCOMPARE(site.at(2), 'b');
    QCOMPARE(site.engine.unprotectedBlocks.load(), uint64_t{1});
  }

  void protectingWhatWasDestagedMeanwhileIsTold() {
    Site site;
    site.dirty.put(1, site.blocks(2, 'a'), Promise::Journal, begin);
    const uint64_t pin = site.needs.pin(), sequence = site.append();
    const auto run = site.dirty.take({1, 1});
    site.dirty.landed(run.blocks, [](uint64_t, const BlockRef&) {});
    QVERIFY(!site.dirty.protect(1, 2, sequence));
    site.needs.drop(pin);
    QCOMPARE(site.firstNeeded(), sequence);  // for the other block
  }

  void aReplayGivesWayToWhatTheJournalSaysHasLanded() {
    Site site;
    site.dirty.put(1, site.blocks(3, 'a'), Promise::Journal, begin, 5);
    site.dirty.put(2, site.blocks(1, 'b'), Promise::Journal, begin, 9);
    site.dirty.dropReplayed({1, 2}, 7);
    QCOMPARE(site.at(1), '-');
    QCOMPARE(site.at(2), 'b');
    QCOMPARE(site.at(3), 'a');
  }

  void runsAreNeighboursAndLeaveBusyRegions() {
    Site site;
    site.dirty.put(0, site.blocks(3, 'a'), Promise::None, begin);
    site.dirty.put(5, site.blocks(1, 'a'), Promise::None, begin);
    site.dirty.put(300, site.blocks(2, 'a'), Promise::None, begin + std::chrono::seconds(10));
    const auto all = site.dirty.runs(0, {});
    QCOMPARE(all.runs.size(), size_t{3});
    QCOMPARE(all.runs[0].count, uint64_t{3});
    QCOMPARE(all.runs[1].first, uint64_t{5});
    QVERIFY(all.isLast);
    const auto quiet = site.dirty.runs(0, {.touchedBefore = begin + std::chrono::seconds(5)});
    QCOMPARE(quiet.runs.size(), size_t{2});
    const auto old = site.dirty.runs(0, {.touchedBefore = begin, .sinceBefore = begin + std::chrono::seconds(1)});
    QCOMPARE(old.runs.size(), size_t{2});  // busy, but dirty for too long
    const auto before = site.dirty.runs(0, {.endBlock = 2});
    QCOMPARE(before.runs.size(), size_t{1});
    QCOMPARE(before.runs[0].count, uint64_t{2});
  }

  void theOldestOneIsKnown() {
    Site site;
    QVERIFY(!site.dirty.oldest());
    site.dirty.put(1, site.blocks(1, 'a'), Promise::None, begin);
    site.dirty.put(2, site.blocks(1, 'a'), Promise::Unprotected, begin + std::chrono::seconds(3));
    site.dirty.put(1, site.blocks(1, 'b'), Promise::None, begin + std::chrono::seconds(9));
    QVERIFY(site.dirty.oldest() == begin);
    QVERIFY(site.dirty.oldestUnprotected() == begin + std::chrono::seconds(3));
    site.dirty.drop({2, 1});
    QVERIFY(!site.dirty.oldestUnprotected());
  }

  // Readers look without a lock whether there is anything at all: a block that is being overwritten or protected is never gone for them.
  void aReplacedBlockIsNeverGone() {
    Site site;
    site.dirty.put(7, site.blocks(1, 'a'), Promise::None, begin);
    std::atomic<bool> hasEnded = false;
    std::thread writer([&site, &hasEnded] {
      for (int i = 0; i < 200'000; ++i) {
        site.dirty.put(7, site.blocks(1, 'b'), i % 3 == 0 ? Promise::Unprotected : Promise::None, begin);
        if (i % 64 != 0) continue;
        const uint64_t pin = site.needs.pin();
        site.dirty.protect(7, 1, pin);
        site.needs.drop(pin);
      }
      hasEnded = true;
    });
    uint64_t missingCount = 0;
    while (!hasEnded) {
      for (int i = 0; i < 10'000; ++i) missingCount += site.dirty.isEmpty() ? 1 : 0;
      missingCount += site.at(7) == '-' || !site.dirty.oldest() ? 1 : 0;
    }
    writer.join();
    QCOMPARE(missingCount, uint64_t{0});
    QCOMPARE(site.account->dirtyBlocks.load(), uint64_t{1});
    site.dirty.drop({0, DirtyBlocks::toEnd});
    QVERIFY(site.dirty.isEmpty());
    QCOMPARE(site.account->unprotectedBlocks.load(), uint64_t{0});
    QCOMPARE(site.dirty.unjournaledCount(), uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(DirtyBlocksTest)
#include "dirty_blocks_test.moc"
