// SPDX-License-Identifier: GPL-3.0-or-later
// BlockWriter and BlockStore together: what was given comes back, by any cut of reads.
#include <QTest>
#include <random>

#include "engine/blockstore/block_writer.h"
#include "tests/support/block_site.h"

using namespace quarry;
using namespace quarry::blockstore;
using test::madeSegment;
using test::runTask;
using Site = test::BlockSite;

class BlockStoreTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void givesBackWhatWasPut() {
    Site site;
    auto writer = site.open();
    std::vector<std::pair<std::vector<std::byte>, Placement>> segments;
    for (uint64_t i = 0; i < 11; ++i) {  // more than two containers
      auto data = madeSegment(1 + i * 1000, i % 3 == 1 ? 5 : 0);
      auto placement = site.add(*writer, data);
      segments.emplace_back(std::move(data), std::move(placement));
    }
    site.sealAndCommit(*writer);
    for (const auto& [data, placement] : segments) {
      QVERIFY(placement.newestContainer <= writer->sealedThrough());
      const auto back = site.read(placement.extents);
      QVERIFY(back.has_value() && *back == data);
    }
    QVERIFY(site.recipes.containers().size() >= 3);
  }

  void sharesWithinOneJobAndAfterARestart() {
    Site site;
    const auto data = madeSegment(1), other = madeSegment(5000);
    {
      auto writer = site.open();
      QCOMPARE(site.add(*writer, data).newBlocks, 1024u);
      QCOMPARE(site.add(*writer, data).duplicateBlocks, 1024u);
      QCOMPARE(site.add(*writer, other).newBlocks, 1024u);
      site.sealAndCommit(*writer);
    }
    auto writer = site.open();
    const Placement again = site.add(*writer, data);
    QCOMPARE(again.duplicateBlocks, 1024u);
    QCOMPARE(again.extents.size(), size_t{1});
    site.sealAndCommit(*writer);
    QCOMPARE(site.recipes.containers().size(), size_t{1});
  }

  void readsAnyCut() {
    Site site;
    auto writer = site.open();
    const auto data = madeSegment(1);
    const Placement placement = site.add(*writer, data);
    site.sealAndCommit(*writer);
    auto store = BlockStore::open(site.fileSystem, "c", site.recipes, site.key, site.workers);
    std::mt19937_64 random(3);
    for (int round = 0; round < 60; ++round) {
      std::vector<BlockRead> reads;
      std::vector<std::vector<std::byte>> into;
      for (size_t i = 0; i < 1 + random() % 40; ++i) {
        const auto first = static_cast<uint32_t>(random() % segmentBlocks);
        const auto count = static_cast<uint32_t>(1 + random() % std::min<uint64_t>(segmentBlocks - first, 9));
        into.emplace_back(count * blockBytes);
        reads.push_back({placement.extents[0].firstPhysical + first, count, {}});
      }
      for (size_t i = 0; i < reads.size(); ++i) reads[i].into = into[i];
      const auto wanted = reads;
      QVERIFY(runTask(site.context, store->read(std::move(reads))).has_value());
      for (const BlockRead& read : wanted) {
        const uint64_t offset = (read.first - placement.extents[0].firstPhysical) * blockBytes;
        QCOMPARE(std::memcmp(read.into.data(), data.data() + offset, read.into.size()), 0);
      }
    }
  }

  void damagedAndMissingContainers() {
    Site site;
    auto writer = site.open();
    const auto data = madeSegment(1);
    const Placement placement = site.add(*writer, data);
    site.sealAndCommit(*writer);
    auto* file = site.fileSystem.bytes("c/1.qc");
    const auto good = *file;
    (*file)[containerHeadBytes(256) + 50] ^= std::byte{1};
    const auto flipped = site.read(placement.extents);
    QVERIFY(!flipped && flipped.error().code == ErrorCode::Corrupt);
    QVERIFY(flipped.error().message.find("container 1, frame 0") != std::string::npos);
    const auto unharmed = site.read({{.firstBlock = 4, .blockCount = 1020, .firstPhysical = placement.extents[0].firstPhysical + 4}});
    QVERIFY(unharmed.has_value());
    file->resize(good.size() / 2);
    QVERIFY(site.read(placement.extents).error().code == ErrorCode::Corrupt);
    const auto beyond = site.read({{.firstBlock = 0, .blockCount = 1, .firstPhysical = 9 * metadata::containerBlocks}});
    QVERIFY(!beyond && beyond.error().code == ErrorCode::Lost);
  }

  void aDamagedContainerIsNotSharedWith() {
    Site site;
    const auto data = madeSegment(1);
    {
      auto writer = site.open();
      site.add(*writer, data);
      site.sealAndCommit(*writer);
    }
    site.fileSystem.bytes("c/1.qc")->resize(4096);
    auto writer = site.open();
    QCOMPARE(site.add(*writer, data).newBlocks, 1024u);
    QCOMPARE(writer->takeWarnings().size(), size_t{1});
    site.sealAndCommit(*writer);
  }

  // A file left by a job that did not finish keeps its number.
  void numbersAreNotReused() {
    Site site;
    (void)site.fileSystem.open("c/41.qc", os::OpenMode::Create, os::CacheMode::Direct);
    (void)site.fileSystem.open("c/x9.qc", os::OpenMode::Create, os::CacheMode::Direct);
    auto writer = site.open();
    QCOMPARE(site.add(*writer, madeSegment(1)).newestContainer, ContainerNumber{42});
    site.sealAndCommit(*writer);
  }

  void aFailedSealIsFinal() {
    Site site;
    auto writer = site.open();
    site.add(*writer, madeSegment(1));
    site.fileSystem.failFrom(2, ErrorCode::NoSpace);
    QVERIFY(runTask(site.context, writer->sealAll()).error().code == ErrorCode::NoSpace);
    site.fileSystem.failFrom(std::nullopt);
    QVERIFY(runTask(site.context, writer->sealAll()).error().code == ErrorCode::NoSpace);
    QVERIFY(writer->takeSealed().empty());
    QCOMPARE(writer->sealedThrough(), ContainerNumber{0});
  }
};

QTEST_GUILESS_MAIN(BlockStoreTest)
#include "block_store_test.moc"
