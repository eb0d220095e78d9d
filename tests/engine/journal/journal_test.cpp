// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/journal/journal.h"

#include <QTest>

#include "engine/base/spawn.h"
#include "tests/engine/journal/journal_site.h"

using namespace quarry;
using namespace quarry::journal;

namespace {
struct Versions {
  uint64_t acknowledged = 0;
  uint64_t asked = 0;  // of a write without an answer
};
using Model = std::map<std::pair<uint64_t, uint64_t>, Versions>;  // by file and block

// One write after another until one fails.
Task<void> writeAway(JournalSite& site, uint64_t writer, int count, std::mt19937_64& random, Model& model) {
  for (int i = 0; i < count; ++i) {
    const uint64_t block = random() % 50, version = random();
    const auto blockCount = static_cast<uint32_t>(1 + random() % 5);
    const MadeBlocks blocks(writer, block, blockCount, version);
    for (uint32_t b = 0; b < blockCount; ++b) model[{writer, block + b}].asked = version;
    const Entry entry = writeOf(writer, block, blocks);
    const auto sequence = co_await site.journal->append({&entry, 1});
    if (!sequence) co_return;
    for (uint32_t b = 0; b < blockCount; ++b) model[{writer, block + b}] = {.acknowledged = version, .asked = 0};
  }
}

void run(JournalSite& site, int writers, int count, std::mt19937_64& random, Model& model) {
  asio::io_context context;
  for (int writer = 1; writer <= writers; ++writer) spawn(context, writeAway(site, static_cast<uint64_t>(writer), count, random, model));
  context.run();
}
}  // namespace

// Whether a replay shows every acknowledged version, or a newer one that was asked for; what it shows counts as acknowledged then.
QString differenceTo(const Replayed& replayed, Model& model) {
  for (auto& [place, versions] : model) {
    const auto found = replayed.blocks.find(place);
    const auto holds = [&](uint64_t version) {
      return found != replayed.blocks.end() && version != 0 && std::ranges::equal(found->second, MadeBlocks(place.first, place.second, 1, version).bytes());
    };
    if (holds(versions.asked))
      versions.acknowledged = versions.asked;
    else if (versions.acknowledged != 0 && !holds(versions.acknowledged))
      return QStringLiteral("file %1 block %2").arg(place.first).arg(place.second);
    versions.asked = 0;
  }
  return {};
}

class JournalTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatWasAcknowledgedSurvivesAnyPowerCut() {
    for (uint32_t seed = 1; seed <= 25; ++seed) {
      std::mt19937_64 random(seed);
      JournalSite site;
      site.fileSystem.letFailedWritesReachTheDisk();
      QVERIFY(site.open().has_value());
      Model model;
      for (int round = 0; round < 4; ++round) {
        site.fileSystem.failFrom(1 + random() % 40);
        run(site, 1 + static_cast<int>(random() % 4), 20, random, model);
        site.fileSystem.crash(random() % 3 == 0 ? test::SimFileSystem::Keep::Nothing : test::SimFileSystem::Keep::RandomBlocks, random);
        QVERIFY(site.open().has_value());
        QVERIFY(site.replayed.damaged.empty() && site.replayed.lost.empty());
        const QString difference = differenceTo(site.replayed, model);
        QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(difference)));
      }
    }
  }

  void writersShareGroups() {
    std::mt19937_64 random(1);
    JournalSite site;
    site.fileSystem.letWritesTakeTurns();
    QVERIFY(site.open().has_value());
    Model model;
    run(site, 32, 10, random, model);
    const JournalFigures figures = site.journal->figures();
    QCOMPARE(figures.entryCount, uint64_t{320});
    QVERIFY2(figures.groupCount < 100, qPrintable(QString::number(figures.groupCount)));
  }

  // Far more than the ring holds: the writer asks for room, gets it by release(), and goes round and round.
  void ringGoesRound() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    uint64_t newest = 0;
    site.whenFull = [&] { site.journal->release(newest > 3 ? newest - 3 : 0); };
    const uint64_t rounds = 5 * site.areaBytes / (300 * blockBytes);
    for (uint64_t i = 0; i < rounds; ++i) {
      const MadeBlocks blocks(1, i, static_cast<uint32_t>(200 + i % 57), i);
      const auto sequence = site.append(writeOf(1, i, blocks));
      QVERIFY(sequence.has_value());
      newest = *sequence;
      if (i % 10 != 0) continue;
      QVERIFY(site.journal->figures().usedBytes <= site.areaBytes);
    }
    QVERIFY(site.fullCount > 3);
    QVERIFY(site.open().has_value());
    QVERIFY(site.replayed.lost.empty() && site.replayed.damaged.empty());
    QVERIFY(site.replayed.firstSequence <= newest - 3);
    QCOMPARE(site.replayed.entries.back().firstBlock, rounds - 1);
  }

  // Far less than wanted is made at first; what is needed comes in steps, and a crash in between loses nothing.
  void fileGrowsAsItIsNeeded() {
    JournalSite site;
    site.areaBytes = 4 * fillStepBytes;
    QVERIFY(site.open().has_value());
    QCOMPARE(site.ring().size(), areaOffset + fillStepBytes);
    QCOMPARE(site.journal->figures().areaBytes, site.areaBytes);
    uint64_t count = 0;
    for (; count * 256 * blockBytes < 2 * fillStepBytes; ++count) {
      const MadeBlocks blocks(1, count, 256, count);
      QVERIFY(site.append(writeOf(1, count, blocks)).has_value());
    }
    QCOMPARE(site.ring().size(), areaOffset + 3 * fillStepBytes);
    std::mt19937_64 random(5);
    site.journal.reset();
    site.fileSystem.crash(test::SimFileSystem::Keep::Nothing, random);
    QVERIFY(site.open().has_value());
    QCOMPARE(site.replayed.entries.size(), count);
    QVERIFY(site.replayed.lost.empty() && site.replayed.damaged.empty());
    QCOMPARE(site.fullCount, 0);
    // A file that somebody cut is no short ring.
    site.journal.reset();
    site.ring().resize(areaOffset + fillStepBytes);
    QVERIFY(!site.open().has_value());
  }

  void closedAndReleasedLeavesNothingToReplay() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    const MadeBlocks blocks(1, 0, 1, 1);
    for (int i = 0; i < 3; ++i) QVERIFY(site.append(writeOf(1, 0, blocks)).has_value());
    site.journal->release(site.journal->nextSequence());
    QCOMPARE(site.journal->figures().usedBytes, uint64_t{0});
    QVERIFY(test::runTask(site.journal->close()).has_value());
    QVERIFY(site.open().has_value());
    QVERIFY(site.replayed.entries.empty());
    QCOMPARE(*site.append(writeOf(1, 0, blocks)), uint64_t{4});  // numbers are never used again
  }

  void failedWriteIsFinalAndToldOnce() {
    JournalSite site;
    QVERIFY(site.open().has_value());
    const MadeBlocks blocks(1, 0, 1, 1);
    site.fileSystem.failFrom(1);
    QVERIFY(!site.append(writeOf(1, 0, blocks)).has_value());
    site.fileSystem.failFrom(std::nullopt);
    QVERIFY(!site.append(writeOf(1, 0, blocks)).has_value());
    QCOMPARE(site.failures.size(), size_t{1});
    QVERIFY(site.failures[0].message.find("journal") != std::string::npos);
  }

  void interruptedMakingIsMadeAgain() {
    for (uint64_t step = 1; step < 200; ++step) {
      JournalSite site;
      site.fileSystem.failFrom(step);
      const bool isMade = site.open().has_value();
      std::mt19937_64 random(step);
      site.journal.reset();
      site.fileSystem.crash(test::SimFileSystem::Keep::RandomBlocks, random);
      QVERIFY(site.open().has_value());
      QVERIFY(site.replayed.entries.empty());
      if (isMade) return;
    }
    QFAIL("the journal is never made");
  }
};

QTEST_GUILESS_MAIN(JournalTest)
#include "journal_test.moc"
