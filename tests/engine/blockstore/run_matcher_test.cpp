// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>
#include <random>

#include "engine/blockstore/run_matcher.h"

using namespace quarry;
using namespace quarry::blockstore;

namespace {

Fingerprint made(uint64_t value) {
  Fingerprint fingerprint{};
  std::mt19937_64 random(value);
  for (auto& byte : fingerprint) byte = static_cast<std::byte>(random());
  return fingerprint;
}

std::vector<Fingerprint> made(const std::vector<uint64_t>& values) {
  std::vector<Fingerprint> all;
  for (const uint64_t value : values) all.push_back(made(value));
  return all;
}

// What is stored, as a plain map, beside the matcher.
struct Model {
  explicit Model(size_t listsMax = RunMatcher::listsMaxDefault) : matcher(listsMax) {}
  RunMatcher matcher;
  std::map<PhysicalBlock, Fingerprint> stored;
  PhysicalBlock next = 100 * metadata::containerBlocks;

  void addList(ContainerNumber number, const std::vector<Fingerprint>& list) {
    matcher.addList(number, list);
    for (size_t i = 0; i < list.size(); ++i) stored[number * metadata::containerBlocks + i] = list[i];
  }
  std::vector<Run> match(const std::vector<Fingerprint>& stretch, PhysicalBlock expected = 0) {
    return matcher.match(stretch, expected, [&](uint32_t i) {
      matcher.append(next, stretch[i]);
      stored[next] = stretch[i];
      const PhysicalBlock block = next++;
      if (metadata::indexInContainer(next) == 0) matcher.sealed(metadata::containerOf(block));
      return block;
    });
  }
};

}  // namespace

class RunMatcherTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void findsARunInsideAList() {
    Model model;
    model.addList(3, made({1, 2, 3, 4, 5, 6, 7, 8}));
    const auto runs = model.match(made({90, 3, 4, 5, 6, 91}));
    QCOMPARE(runs.size(), size_t{3});
    QVERIFY(runs[0].isNew && runs[2].isNew);
    QCOMPARE(runs[1], (Run{.first = 1, .count = 4, .block = 3 * metadata::containerBlocks + 2, .isNew = false}));
  }

  void shortRunsAreStoredAgain() {
    Model model;
    model.addList(3, made({1, 2, 3, 4, 5}));
    const auto runs = model.match(made({90, 2, 3, 4, 91}));
    QCOMPARE(runs.size(), size_t{1});
    QVERIFY(runs[0].isNew && runs[0].count == 5);
  }

  void aWholeShortStretchIsShared() {
    Model model;
    model.addList(3, made({1, 2, 3}));
    const auto runs = model.match(made(std::vector<uint64_t>{2, 3}));
    QCOMPARE(runs.size(), size_t{1});
    QVERIFY(!runs[0].isNew);
  }

  void aShortRunThatGoesOnIsShared() {
    Model model;
    model.addList(3, made({1, 2, 3, 4}));
    const auto runs = model.match(made({3, 4, 90}), 3 * metadata::containerBlocks + 2);
    QCOMPARE(runs.size(), size_t{2});
    QVERIFY(!runs[0].isNew && runs[0].count == 2 && runs[1].isNew);
  }

  void takesTheLongestCandidate() {
    Model model;
    model.addList(3, made({1, 2, 3, 4, 50}));
    model.addList(4, made({60, 1, 2, 3, 4, 5, 6}));
    const auto runs = model.match(made({1, 2, 3, 4, 5, 6}));
    QCOMPARE(runs.size(), size_t{1});
    QCOMPARE(runs[0].block, 4 * metadata::containerBlocks + 1);
  }

  void repeatsInsideAStretchAreShared() {
    Model model;
    const auto runs = model.match(made({1, 2, 3, 4, 1, 2, 3, 4}));
    QCOMPARE(runs.size(), size_t{2});
    QVERIFY(runs[0].isNew && !runs[1].isNew && runs[1].count == 4 && runs[1].block == runs[0].block);
  }

  void oneBlockRepeatedIsBounded() {
    Model model;
    for (int segment = 0; segment < 8; ++segment) {
      const auto runs = model.match(std::vector<Fingerprint>(1024, made(5)));
      QVERIFY(runs.size() <= 260);
    }
    QVERIFY(model.stored.size() <= 32);
  }

  void evictsTheListUnusedForLongest() {
    Model model(2);
    model.addList(1, made({1, 2, 3, 4}));
    model.addList(2, made({11, 12, 13, 14}));
    QCOMPARE(model.match(made({1, 2, 3, 4})).size(), size_t{1});
    model.addList(3, made({21, 22, 23, 24}));
    QVERIFY(model.matcher.holds(1) && !model.matcher.holds(2) && model.matcher.holds(3));
    QVERIFY(!model.matcher.knows(made(12)) && model.matcher.knows(made(2)));
  }

  // Whatever comes: runs tile the stretch, each points at equal blocks, and short ones are never shared.
  void random() {
    std::mt19937_64 random(20);
    for (int round = 0; round < 40; ++round) {
      Model model(4);
      for (int step = 0; step < 30; ++step) {
        std::vector<Fingerprint> blocks(random() % 300 + 1);
        uint64_t value = random() % 500;
        for (auto& block : blocks) block = made(value = random() % 8 == 0 ? random() % 500 : value + 1);
        if (random() % 4 == 0) {
          model.addList(static_cast<ContainerNumber>(1 + step), blocks);
          continue;
        }
        uint32_t at = 0;
        for (const Run& run : model.match(blocks)) {
          QCOMPARE(run.first, at);
          QVERIFY(run.isNew || run.count >= RunMatcher::runBlocksMin || run.count == blocks.size());
          for (uint32_t i = 0; i < run.count; ++i) QVERIFY(model.stored.at(run.block + i) == blocks[at + i]);
          at += run.count;
        }
        QCOMPARE(size_t{at}, blocks.size());
      }
    }
  }
};

QTEST_GUILESS_MAIN(RunMatcherTest)
#include "run_matcher_test.moc"
