// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/read_cache.h"

#include <QTest>
#include <map>
#include <thread>

#include "engine/cache/cache_budget.h"
#include "tests/engine/cache/cache_site.h"

using namespace quarry;
using namespace quarry::cache;

namespace {
constexpr uint64_t mib = uint64_t{1} << 20;
constexpr double pointsMax = 0.05;

// Share of hits of `count` zipf reads of `keys` keys, while after each of them a scan reads `scanned` blocks that nobody reads again.
double hotHitRatio(CacheSite& site, const Zipf& zipf, Random& random, uint64_t count, uint64_t scanned) {
  static uint64_t scanAt = 0;
  uint64_t hits = 0;
  for (uint64_t i = 0; i < count; ++i) {
    hits += site.read({1, zipf.draw(random)});
    for (uint64_t s = 0; s < scanned; ++s) site.read({2, scanAt++});
  }
  return static_cast<double>(hits) / static_cast<double>(count);
}
}  // namespace

class ReadCacheTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatWasInsertedIsFoundUntilItIsErased() {
    CacheSite site(16 * mib, 4 * mib);
    const BlockKey key{1, 2}, other{2, 1};
    QVERIFY(!site.cache.find(key));
    site.cache.insert(key, site.made(key));
    QVERIFY(carries(*site.cache.find(key), key));
    QVERIFY(!site.cache.find(other));
    site.cache.insert(key, site.made(other));  // replaced
    QVERIFY(carries(*site.cache.find(key), other));
    QCOMPARE(site.cache.figures().bytes, blockBytes);
    const auto held = site.cache.find(key);
    site.cache.erase(key);
    site.cache.erase(key);
    QVERIFY(!site.cache.find(key));
    QVERIFY(carries(*held, other));  // who holds it may go on
    const auto figures = site.cache.figures();
    QCOMPARE(figures.hits, uint64_t{3});
    QCOMPARE(figures.misses, uint64_t{3});
    QCOMPARE(figures.insertions, uint64_t{2});
    QCOMPARE(figures.bytes, uint64_t{0});
  }

  // Against a map, with budgets that change: what is found is right, and nothing is lost or held twice.
  void randomOperationsAgreeWithAMap() {
    CacheSite site(16 * mib, 8 * mib);
    std::map<BlockKey, uint64_t> inserted;  // the key that the block carries
    Random random(7);
    for (int i = 0; i < 60'000; ++i) {
      const BlockKey key{random.below(3), random.below(3000)};
      const BlockKey value{key.owner, random.next()};
      switch (random.below(8)) {
        case 0: site.cache.erase(key); inserted.erase(key); break;
        case 1: case 2: site.cache.insert(key, site.made(value)); inserted[key] = value.block; break;
        default:
          if (const auto found = site.cache.find(key)) {
            QVERIFY(inserted.contains(key));
            QVERIFY(carries(*found, {key.owner, inserted[key]}));
          }
      }
      if (i % 10'000 == 9'999) site.setBudget((1 + random.below(8)) * mib);
      QVERIFY(site.cache.figures().bytes == site.pool.usedBytes());
    }
    for (const auto& [key, value] : inserted) site.cache.erase(key);
    QCOMPARE(site.pool.usedBytes(), uint64_t{0});
  }

  void roomIsMadeUntilNothingIsLeft() {
    CacheSite site(16 * mib, 1 * mib);
    for (uint64_t i = 0; i < 200; ++i) site.cache.insert({1, i}, site.made({1, i}));
    QCOMPARE(site.cache.figures().bytes, 200 * blockBytes);
    QVERIFY(site.cache.makeRoom(1));
    QCOMPARE(site.cache.figures().bytes, 199 * blockBytes);
    uint64_t rounds = 0;
    while (site.cache.makeRoom(1000)) ++rounds;
    QVERIFY(rounds > 0 && rounds <= 199);
    QCOMPARE(site.cache.figures().bytes, uint64_t{0});
    QCOMPARE(site.cache.figures().evictions, uint64_t{200});
    QCOMPARE(site.pool.usedBytes(), uint64_t{0});
  }

  void theBudgetShrinksAndGrowsAndMemoryWithIt() {
    CacheSite site(512 * mib, 128 * mib);
    const uint64_t before = residentBytesOfProcess();
    for (uint64_t i = 0; i < 2 * 128 * mib / blockBytes; ++i) site.read({1, i});
    QVERIFY(site.cache.figures().bytes > 120 * mib);
    QVERIFY(site.pool.usedBytes() <= 128 * mib);
    site.setBudget(16 * mib);
    QVERIFY(site.cache.figures().bytes <= 16 * mib && site.cache.figures().bytes >= 15 * mib);
    const uint64_t resident = residentBytesOfProcess() - before;
    QVERIFY(site.pool.residentBytes() <= 17 * mib);
    QVERIFY2(!residentMemoryIsOurs || resident < 21 * mib, qPrintable(QString::number(resident)));
    site.setBudget(64 * mib);
    for (uint64_t i = 0; i < 128 * mib / blockBytes; ++i) site.read({1, i});
    QVERIFY(site.cache.figures().bytes > 60 * mib);
  }

  void aScanLeavesTheHotSet() {
    constexpr uint64_t blocks = 4096;
    CacheSite site(64 * mib, blocks * blockBytes);
    const Zipf zipf(4 * blocks, 0.9);
    Random random(1);
    hotHitRatio(site, zipf, random, 20 * blocks, 0);
    const double alone = hotHitRatio(site, zipf, random, 10 * blocks, 0);
    for (uint64_t i = 0; i < 10 * blocks; ++i) site.read({3, i});
    const double after = hotHitRatio(site, zipf, random, 2 * blocks, 0);
    const double during = hotHitRatio(site, zipf, random, 10 * blocks, 1);
    qInfo("hot set alone %.3f, after a scan of ten times the cache %.3f, during one at the same rate %.3f", alone, after, during);
    QVERIFY(alone > 0.5);
    QVERIFY(after > alone - pointsMax);
    QVERIFY(during > alone - pointsMax);
  }

  void readersInsertersAndResizers() {
    CacheSite site(64 * mib, 8 * mib);
    std::atomic<int> faults = 0;
    const auto work = [&](uint64_t seed) {
      Random random(seed);
      for (int i = 0; i < 15'000; ++i) {
        const BlockKey key{1, random.below(6000)};
        if (const auto found = site.cache.find(key)) faults += !carries(*found, key);
        else site.cache.insert(key, site.made(key));
        if (i % 64 == 0) site.cache.erase({1, random.below(6000)});
      }
    };
    std::vector<std::thread> threads;
    for (uint64_t seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed * 1000);
    std::thread resizer([&] {
      for (uint64_t i = 0; i < 40; ++i) {
        site.setBudget((1 + i * 5 % 16) * mib);
        (void)site.cache.figures();
      }
    });
    for (auto& thread : threads) thread.join();
    resizer.join();
    QCOMPARE(faults.load(), 0);
    QCOMPARE(site.cache.figures().bytes, site.pool.usedBytes());
    while (site.cache.makeRoom(1000)) {
    }
    QCOMPARE(site.pool.usedBytes(), uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(ReadCacheTest)
#include "read_cache_test.moc"
