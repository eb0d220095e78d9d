// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <random>

#include "engine/dedup/recipe_merge.h"

using namespace quarry;
using namespace quarry::dedup;
using metadata::Recipe;

namespace {

// The physical block, looked up the plain way; 0: zero.
uint64_t at(const Recipe& recipe, uint32_t block) {
  for (const auto& extent : recipe)
    if (block >= extent.firstBlock && block < extent.firstBlock + extent.blockCount) return extent.firstPhysical + block - extent.firstBlock;
  return 0;
}

Recipe randomRecipe(std::mt19937_64& random, uint64_t base) {
  Recipe recipe;
  for (uint32_t block = static_cast<uint32_t>(random() % 50); block < segmentBlocks;) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(1 + random() % 60, segmentBlocks - block));
    recipe.push_back({block, count, base + random() % 4000});
    block += count + static_cast<uint32_t>(random() % 30);
  }
  return recipe;
}

}  // namespace

class RecipeMergeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void landingWins() {
    LandedBlocks landed;
    for (size_t i = 4; i < 8; ++i) landed.set(i);
    const Recipe existing{{0, 10, 5000}};
    QCOMPARE(mergeRecipe(existing, landed, {{4, 4, 9000}}), (Recipe{{0, 4, 5000}, {4, 4, 9000}, {8, 2, 5008}}));
  }
  void aZeroLandedBlockRemovesTheOldOne() {
    LandedBlocks landed;
    landed.set(3);
    QCOMPARE(mergeRecipe({{0, 6, 5000}}, landed, {}), (Recipe{{0, 3, 5000}, {4, 2, 5004}}));
    landed.set();
    QVERIFY(mergeRecipe({{0, 6, 5000}}, landed, {}).empty());
  }
  void whatContinuesIsOneExtent() {
    LandedBlocks landed;
    landed.set(2);
    QCOMPARE(mergeRecipe({{0, 2, 5000}, {3, 2, 5003}}, landed, {{2, 1, 5002}}), (Recipe{{0, 5, 5000}}));
  }
  void random() {
    std::mt19937_64 random(4);
    for (int round = 0; round < 300; ++round) {
      const Recipe existing = randomRecipe(random, 100000), source = randomRecipe(random, 200000);
      LandedBlocks landed;
      for (size_t i = 0; i < segmentBlocks; ++i) landed[i] = (i / 16 + static_cast<size_t>(round)) % 3 == 0 || random() % 20 == 0;
      Recipe placed;
      for (uint32_t i = 0; i < segmentBlocks; ++i)
        if (landed[i] && at(source, i)) placed.push_back({i, 1, at(source, i)});
      const Recipe merged = mergeRecipe(existing, landed, placed);
      for (uint32_t i = 0; i < segmentBlocks; ++i) QCOMPARE(at(merged, i), landed[i] ? at(source, i) : at(existing, i));
      for (size_t i = 1; i < merged.size(); ++i) QVERIFY(merged[i - 1].firstBlock + merged[i - 1].blockCount <= merged[i].firstBlock);
    }
  }
};

QTEST_GUILESS_MAIN(RecipeMergeTest)
#include "recipe_merge_test.moc"
