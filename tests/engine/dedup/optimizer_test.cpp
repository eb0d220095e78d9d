// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/dedup/optimizer.h"
#include "tests/support/dedup_site.h"

using namespace quarry;
using namespace quarry::dedup;
using quarry::test::DedupSite;
using quarry::test::madeSegments;
using quarry::test::RecordingMonitor;

class OptimizerTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void freesSharesAndReadsBack() {
    DedupSite site;
    site.addFile("a/a.vmdk", madeSegments(3, 1, 7));
    site.addFile("b/b.vmdk", madeSegments(3, 1, 7));
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
    QCOMPARE(monitor.count(Counter::BytesTotal), 6 * segmentBytes);
    QCOMPARE(monitor.count(Counter::BytesDone), 6 * segmentBytes);
    QCOMPARE(monitor.count(Counter::FreedBytes), 6 * segmentBytes);
    const uint64_t zeroBytes = 2 * 439 * blockBytes, nonZeroBytes = 6 * segmentBytes - zeroBytes;
    QCOMPARE(monitor.count(Counter::ZeroBytes), zeroBytes);
    QCOMPARE(monitor.count(Counter::NewBytes), nonZeroBytes / 2);
    QCOMPARE(monitor.count(Counter::DuplicateBytes), nonZeroBytes / 2);
    QVERIFY(monitor.count(Counter::StoredBytes) > 0 && monitor.count(Counter::StoredBytes) < nonZeroBytes / 2);
    QVERIFY(monitor.notes.empty());
  }

  // The last segment fills one container and begins the next.
  void theLastSegmentIsOptimizedTooWhenItGoesOverTheBorder() {
    DedupSite site;
    site.addFile("a.vmdk", madeSegments(1, 1, 2));
    site.addFile("b.vmdk", madeSegments(4, 10'000));
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.recipes.recipes().size(), size_t{5});
    QCOMPARE(site.wrongFile(), std::string());
  }

  // FakeRecipeTable refuses a recipe that ends in a container which is not sealed yet.
  void aRecipeWaitsForTheContainerItEndsIn() {
    DedupSite site;
    site.addFile("a.vmdk", madeSegments(1, 1, 2));
    site.addFile("b.vmdk", madeSegments(9, 10'000));
    RecordingMonitor monitor;
    monitor.onFile = [&](const std::string&) { site.clock.advance(std::chrono::seconds(2)); };  // a commit is due after every segment
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void aSecondRunCostsNothing() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(2, 1));
    RecordingMonitor first, second;
    QVERIFY(site.optimize(first).has_value());
    const uint64_t commits = site.recipes.commits(), changes = site.fileSystem.changes(), blocksRead = file.data->blocksRead;
    QVERIFY(site.optimize(second).has_value());
    QCOMPARE(site.recipes.commits(), commits);
    QCOMPARE(site.fileSystem.changes(), changes);
    QCOMPARE(file.data->blocksRead, blocksRead);
    QCOMPARE(second.count(Counter::BytesTotal), uint64_t{0});
  }

  void landingWinsOverTheOldRecipe() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(1, 1));
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    site.write(file, 16 * blockBytes, test::madeBlocks({9001, 9002, 9003, 9004, 9005}));
    site.write(file, 100 * blockBytes, test::madeBlocks({0, 0, 0}));              // zeroes over optimized blocks
    site.write(file, 1023 * blockBytes, test::madeBlocks({1024}));                // what the recipe says already
    QCOMPARE(site.wrongFile(), std::string());
    const uint64_t readBefore = file.data->blocksRead;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(file.data->blocksRead - readBefore, uint64_t{9});
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void aFragmentedSegmentIsReadInFewPieces() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(1, 1));
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    for (uint64_t block = 3; block < 600; block += 2) site.write(file, block * blockBytes, test::madeBlocks({9000 + block}));
    site.write(file, 1000 * blockBytes, test::madeBlocks({7777}));
    int reads = 0;
    file.data->onRead = [&](uint32_t) { ++reads; };
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(reads, 2);
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void allZeroSegmentLosesItsRecipe() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(1, 1));
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    site.write(file, 0, std::vector<std::byte>(segmentBytes));
    QVERIFY(site.optimize(monitor).has_value());
    QVERIFY(site.recipes.recipes().empty());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void aWriteBeforeThePunchIsKept() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(2, 1));
    file.data->onPunch = [&](uint32_t segment) {
      if (segment == 1) site.write(file, segmentBytes + 8 * blockBytes, test::madeBlocks({7777}));
    };
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), segmentBytes);
    QCOMPARE(site.wrongFile(), std::string());
    file.data->onPunch = nullptr;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void aWriteWhileReadingSkipsTheSegment() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(2, 1));
    file.data->onRead = [&](uint32_t segment) {
      if (segment == 0) site.write(file, 0, test::madeBlocks({7777}));
    };
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), segmentBytes);
    QCOMPARE(monitor.count(Counter::SegmentsSkipped), uint64_t{1});
    QVERIFY(monitor.hasNote("a.vmdk: 1 segments left alone, changed while they were read"));
    QCOMPARE(site.wrongFile(), std::string());
  }

  // Shortened after it was read and before its recipe is written: nothing of it may be committed.
  void aTruncateInBetweenSkipsTheRecipe() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(2, 1));
    RecordingMonitor monitor;
    monitor.onFile = [&](const std::string&) {
      if (file.expected.size() == segmentBytes) return;
      ++file.truncateCounter;
      file.expected.resize(segmentBytes);
      file.data->dropLandingFrom(1);
    };
    QVERIFY(site.optimize(monitor).has_value());
    QVERIFY(!site.recipes.recipes().contains({file.source.fileid, 1}));
    QCOMPARE(site.wrongFile(), std::string());
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void aRemovedFileIsSkipped() {
    DedupSite site;
    auto& first = site.addFile("a.vmdk", madeSegments(2, 1));
    site.addFile("b.vmdk", madeSegments(1, 9000));
    RecordingMonitor monitor;
    monitor.onFile = [&](const std::string&) { first.removed = true; };
    QVERIFY(site.optimize(monitor).has_value());
    for (const auto& [key, recipe] : site.recipes.recipes()) QVERIFY(key.first != first.source.fileid);
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void ageAndExclusions() {
    DedupSite site;
    auto& young = site.addFile("young.vmdk", std::vector<std::byte>(segmentBytes));
    young.data->writeTime = site.clock.steady();
    site.write(young, 0, madeSegments(1, 1));
    young.source.policy.minAgeSeconds = 3600;
    site.addFile("vm/vm.vswp", madeSegments(1, 5000));
    site.addFile("vm/other.vswp", madeSegments(1, 5000));
    site.addFile("small.vmdk", madeSegments(1, 7000)).source.policy.minSizeBytes = 2 * segmentBytes;
    site.clock.advance(std::chrono::minutes(59));
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), 4 * segmentBytes);
    QCOMPARE(monitor.count(Counter::FilesSkipped), uint64_t{3});
    QVERIFY(monitor.hasNote("2 files excluded by *.vswp") && monitor.hasNote("1 file smaller"));
    QCOMPARE(monitor.notes.size(), size_t{3});
    QVERIFY(monitor.hasNote("young.vmdk: 1 segments left alone, written too recently"));
    site.clock.advance(std::chrono::minutes(2));
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), 3 * segmentBytes);
  }

  void minAgeOverridesThePolicy() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(1, 1));
    file.source.policy.minAgeSeconds = UINT64_MAX;
    file.data->writeTime = site.clock.steady();
    site.write(file, 0, madeSegments(1, 1));
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), segmentBytes);
    QVERIFY(site.optimize(monitor, std::chrono::seconds(0)).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
  }

  void oneDamagedSegmentDoesNotStopTheJob() {
    DedupSite site;
    auto& bad = site.addFile("bad.vmdk", madeSegments(2, 1));
    site.addFile("good.vmdk", madeSegments(1, 9000));
    bad.data->readFails = [](uint32_t segment) { return segment == 0 ? Result<void>(fail(ErrorCode::IoError, "bad sector")) : Result<void>(); };
    site.recipes.damage(bad.source.fileid, 1);
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QVERIFY(monitor.hasProblem("bad.vmdk: segment 0 cannot be read: bad sector"));
    QVERIFY(monitor.hasProblem("bad.vmdk: segment 1 cannot be read: recipe is damaged"));
    QCOMPARE(site.landedBytes(), 2 * segmentBytes);
  }

  void aFullDiskEndsItCleanly() {
    DedupSite site;
    site.addFile("a.vmdk", madeSegments(12, 1));  // three containers
    site.fileSystem.failFrom(8, ErrorCode::NoSpace);  // in the second
    RecordingMonitor monitor;
    const auto outcome = site.optimize(monitor);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::NoSpace);
    QVERIFY(site.landedBytes() > 0 && site.landedBytes() < 12 * segmentBytes);  // the first container's recipes were kept
    QCOMPARE(site.wrongFile(), std::string());
    site.fileSystem.failFrom(std::nullopt);
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  // The transaction that failed held the container's row: nothing that names the container may be committed after it.
  void aFailedTransactionIsFinal() {
    DedupSite site;
    site.addFile("a.vmdk", madeSegments(12, 1));
    site.recipes.failCommitsFrom(1);
    RecordingMonitor monitor;
    monitor.onFile = [&](const std::string&) { site.clock.advance(std::chrono::seconds(2)); };  // a commit is due after every segment
    const auto outcome = site.optimize(monitor);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::NoSpace);
    QCOMPARE(site.recipes.commits(), uint64_t{1});
    QCOMPARE(site.landedBytes(), 12 * segmentBytes);
    QCOMPARE(site.wrongFile(), std::string());
  }

  void aStoreThatTurnsReadOnlyLosesNothingMore() {
    DedupSite site;
    auto& file = site.addFile("a.vmdk", madeSegments(12, 1));
    file.data->onPunch = [&](uint32_t) { site.isReadOnly = true; };  // after the first transaction, while its landing space is given back
    RecordingMonitor monitor;
    monitor.onFile = [&](const std::string&) { site.clock.advance(std::chrono::seconds(2)); };
    const auto outcome = site.optimize(monitor);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::ReadOnly);
    QCOMPARE(site.landedBytes(), 11 * segmentBytes);
    const uint64_t commits = site.recipes.commits();
    QVERIFY(!site.optimize(monitor));
    QCOMPARE(site.recipes.commits(), commits);
    QCOMPARE(site.wrongFile(), std::string());
  }

  void stopsAtTheReserve() {
    DedupSite site;
    site.addFile("a.vmdk", madeSegments(12, 1));
    site.availableBytes = [] { return uint64_t{1} << 20; };
    RecordingMonitor monitor;
    const uint64_t changes = site.fileSystem.changes();
    const auto outcome = site.optimize(monitor);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::NoSpace);
    QVERIFY(outcome.error().message.find("reserve") != std::string::npos);
    QCOMPARE(site.fileSystem.changes(), changes);
    QCOMPARE(site.landedBytes(), 12 * segmentBytes);
  }

  // The first container leaves too little room; what it frees lets the job go on.
  void freesBeforeItStopsAtTheReserve() {
    DedupSite site;
    site.addFile("a.vmdk", madeSegments(12, 1));
    const uint64_t landedBefore = site.landedBytes();
    const auto containerBytes = [&site] {
      uint64_t bytes = 0;
      const auto containers = site.fileSystem.list("c");
      for (const auto& info : *containers) bytes += info.size;
      return bytes;
    };
    const uint64_t freeBytes = (64ull << 20) + blockBytes;
    site.availableBytes = [&] { return freeBytes + (landedBefore - site.landedBytes()) - std::min(containerBytes(), freeBytes); };
    RecordingMonitor monitor;
    QVERIFY(site.optimize(monitor).has_value());
    QCOMPARE(site.landedBytes(), uint64_t{0});
    QCOMPARE(site.wrongFile(), std::string());
  }

  void cancelKeepsWhatWasDone() {
    DedupSite site;
    site.addFile("a.vmdk", madeSegments(6, 1));
    RecordingMonitor monitor;
    int segments = 0;
    monitor.onFile = [&](const std::string&) { monitor.stop = ++segments == 3; };
    const auto outcome = site.optimize(monitor);
    QVERIFY(!outcome && outcome.error().code == ErrorCode::Cancelled);
    QCOMPARE(site.landedBytes(), 3 * segmentBytes);
    QCOMPARE(site.recipes.recipes().size(), size_t{3});
    QCOMPARE(site.wrongFile(), std::string());
  }
};

QTEST_GUILESS_MAIN(OptimizerTest)
#include "optimizer_test.moc"
