// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/recipe_cache.h"

#include <QTest>

using namespace quarry;
using namespace quarry::metadata;

namespace {
RecipeCache::Value made(PhysicalBlock block) { return std::make_shared<const Recipe>(Recipe{{0, 1, block}}); }
}  // namespace

class RecipeCacheTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // A reader takes the epoch, reads the row, and is overtaken by a change: what it read is old.
  void whatAChangeOvertookIsNotPutIn() {
    RecipeCache cache(1 << 20);
    uint64_t epoch = cache.epoch();
    cache.drop({{7, 0}});
    cache.put({7, 0}, made(1), epoch);
    QVERIFY(!cache.find({7, 0}));
    epoch = cache.epoch();
    cache.dropFrom(7, 0);
    cache.put({7, 0}, made(1), epoch);
    QVERIFY(!cache.find({7, 0}));
    cache.put({7, 0}, made(2), cache.epoch());
    QCOMPARE((**cache.find({7, 0})).front().firstPhysical, 2u);
  }

  void absenceIsRemembered() {
    RecipeCache cache(1 << 20);
    cache.put({7, 3}, nullptr, cache.epoch());
    const auto found = cache.find({7, 3});
    QVERIFY(found && !*found);
  }

  void dropFromTakesOneFilesEnd() {
    RecipeCache cache(1 << 20);
    for (const FileId fileid : {6, 7, 8})
      for (uint32_t segment = 0; segment < 5; ++segment) cache.put({fileid, segment}, made(fileid * 10 + segment), cache.epoch());
    cache.dropFrom(7, 2);
    for (uint32_t segment = 0; segment < 5; ++segment) {
      QCOMPARE(cache.find({7, segment}).has_value(), segment < 2);
      QVERIFY(cache.find({6, segment}) && cache.find({8, segment}));
    }
    cache.dropFrom(7, 0);
    QVERIFY(!cache.find({7, 0}));
    cache.drop({{7, 1}, {8, 4}, {99, 0}});
    QVERIFY(!cache.find({8, 4}) && cache.find({8, 3}));
  }

  void theOnesUnusedForLongestGoFirst() {
    RecipeCache cache(2000);
    for (uint32_t segment = 0; segment < 100; ++segment) {
      cache.put({7, segment}, made(1 + segment), cache.epoch());
      QVERIFY(cache.find({7, 0}));
    }
    QVERIFY(!cache.find({7, 1}) && cache.find({7, 99}));
  }
};

QTEST_GUILESS_MAIN(RecipeCacheTest)
#include "recipe_cache_test.moc"
