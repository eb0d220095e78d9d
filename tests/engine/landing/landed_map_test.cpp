// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/landing/landed_map.h"

#include <QtTest>
#include <random>
#include <set>

namespace quarry {

class LandedMapTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void agreesWithASetOfBlocks();
  void costsNothingFarOut();
  void clearsToTheEnd();
};

void LandedMapTest::agreesWithASetOfBlocks() {
  std::mt19937_64 random(7);
  LandedMap map;
  std::set<uint64_t> model;
  for (int i = 0; i < 300; ++i) {
    const uint64_t first = random() % 4000, count = 1 + random() % 1500;
    const os::ByteRange range{first * blockBytes, count * blockBytes};
    const size_t before = model.size();
    if (random() % 2) {
      for (uint64_t block = first; block < first + count; ++block) model.insert(block);
      QCOMPARE(map.set(range), model.size() - before);
    } else {
      model.erase(model.lower_bound(first), model.lower_bound(first + count));
      QCOMPARE(map.clear(range), before - model.size());
    }
    QCOMPARE(map.blockCount(), model.size());
    QCOMPARE(map.countIn(range), uint64_t(std::distance(model.lower_bound(first), model.lower_bound(first + count))));
    QCOMPARE(map.end(), model.empty() ? 0 : (*model.rbegin() + 1) * blockBytes);
  }
  for (uint64_t block = 0; block < 6000; ++block)
    QCOMPARE(bool(map.blocks(uint32_t(block / segmentBlocks))[block % segmentBlocks]), model.contains(block));
}

void LandedMapTest::costsNothingFarOut() {
  LandedMap map;
  const uint64_t far = uint64_t{16} << 40;
  QCOMPARE(map.set({far, blockBytes}), 1u);
  QCOMPARE(map.segments().size(), 1u);
  QCOMPARE(map.end(), far + blockBytes);
  map.replace({0, far + segmentBytes}, {{far + 100, 10}});
  QCOMPARE(map.blockCount(), 1u);
  map.replace({far, segmentBytes}, {});
  QVERIFY(map.segments().empty());
}

void LandedMapTest::clearsToTheEnd() {
  LandedMap map;
  map.set({0, 3 * segmentBytes});
  QCOMPARE(map.clear({blockBytes, ~uint64_t{0} - blockBytes}), 3 * segmentBlocks - 1);
  QCOMPARE(map.end(), blockBytes);
}

}  // namespace quarry

QTEST_GUILESS_MAIN(quarry::LandedMapTest)
#include "landed_map_test.moc"
