// SPDX-License-Identifier: GPL-3.0-or-later
// Where one container ends and the next begins.
#include "engine/blockstore/block_writer.h"

#include <QTest>

#include "tests/support/block_site.h"

using namespace quarry;
using namespace quarry::blockstore;
using test::BlockSite;
using test::madeSegment;
using test::runTask;

namespace {

struct Written {
  std::vector<std::byte> data;
  Placement placement;
};

// One segment with every second block zero, then `count` whole ones: the 512 blocks of the first keep the others off the border.
std::vector<Written> writeHalfThenWhole(BlockSite& site, BlockWriter& writer, uint64_t count) {
  std::vector<Written> written;
  for (uint64_t i = 0; i <= count; ++i) {
    auto data = madeSegment(1 + i * segmentBlocks, i == 0 ? 2 : 0);
    auto placement = site.add(writer, data);
    written.push_back({std::move(data), std::move(placement)});
  }
  return written;
}

}  // namespace

class BlockWriterTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The last segment fills one container and begins the next, which holds nothing else. Numbers go on over the border, so it is one extent.
  void sealAllSealsWhatWentOverTheBorder() {
    BlockSite site;
    auto writer = site.open();
    const auto written = writeHalfThenWhole(site, *writer, 4);
    QCOMPARE(written.back().placement.extents.size(), size_t{1});
    QCOMPARE(written.back().placement.newestContainer, ContainerNumber{2});
    site.sealAndCommit(*writer);
    QCOMPARE(writer->sealedThrough(), ContainerNumber{2});
    QCOMPARE(site.recipes.containers().size(), size_t{2});
    for (const Written& segment : written) {
      QVERIFY(segment.placement.newestContainer <= writer->sealedThrough());
      const auto back = site.read(segment.placement.extents);
      QVERIFY(back.has_value() && *back == segment.data);
    }
  }

  void aSegmentThatEndsOnTheBorderLeavesNothingToSeal() {
    BlockSite site;
    auto writer = site.open();
    for (uint64_t i = 0; i < 4; ++i) QCOMPARE(site.add(*writer, madeSegment(1 + i * segmentBlocks)).newestContainer, ContainerNumber{1});
    site.sealAndCommit(*writer);
    QCOMPARE(writer->sealedThrough(), ContainerNumber{1});
    QCOMPARE(site.recipes.containers().size(), size_t{1});
  }

  // Numbers follow one another over seals in between, and what was sealed early is still shared from.
  void goesOnAfterSealAll() {
    BlockSite site;
    auto writer = site.open();
    const auto first = writeHalfThenWhole(site, *writer, 4);
    site.sealAndCommit(*writer);
    site.sealAndCommit(*writer);  // nothing new: no container
    QCOMPARE(site.recipes.containers().size(), size_t{2});
    QCOMPARE(site.add(*writer, first.back().data).duplicateBlocks, static_cast<uint32_t>(segmentBlocks));
    const auto data = madeSegment(900'000);
    const Placement placement = site.add(*writer, data);
    QCOMPARE(placement.newestContainer, ContainerNumber{3});
    site.sealAndCommit(*writer);
    QCOMPARE(writer->sealedThrough(), ContainerNumber{3});
    QCOMPARE(*site.read(placement.extents), data);
  }
};

QTEST_GUILESS_MAIN(BlockWriterTest)
#include "block_writer_test.moc"
