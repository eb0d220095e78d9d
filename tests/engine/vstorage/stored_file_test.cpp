// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/stored_file.h"

#include <QtTest>
#include <asio/io_context.hpp>
#include <bitset>
#include <random>
#include <thread>

#include "engine/base/spawn.h"
#include "tests/support/data_site.h"
#include "tests/support/run_task.h"

namespace quarry::test {

namespace {
constexpr uint64_t base = segmentBytes - 32 * blockBytes;  // tests work across a segment's border
constexpr uint64_t span = 64 * blockBytes;

std::vector<std::byte> randomBytes(std::mt19937_64& random, uint64_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// The values that a byte may have.
using ByteSet = std::bitset<256>;
ByteSet only(std::byte value) { return ByteSet().set(std::to_integer<size_t>(value)); }

// What a file must read as: the bytes from `base` on, and the size.
struct Model {
  std::vector<std::byte> bytes = std::vector<std::byte>(span);
  uint64_t size = 0;
};

// One of many at once: writes ranges of its own, which share blocks with its neighbours', and reads them back.
Task<void> writeAndCheck(DataSite& site, uint64_t seed, uint64_t from, uint64_t length, int rounds, std::atomic<int>& wrong) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> model(length), back(length);
  for (int round = 0; round < rounds; ++round) {
    const uint64_t at = random() % length, count = 1 + random() % (length - at);
    const auto data = randomBytes(random, count);
    const auto durability = random() % 2 ? os::Durability::Durable : os::Durability::None;
    const auto written = co_await site.file().write(from + at, data, site.size, durability);
    if (!written) ++wrong;
    std::copy(data.begin(), data.end(), model.begin() + static_cast<ptrdiff_t>(at));
    const auto read = co_await site.file().read(from, back);
    if (!read || back != model) ++wrong;
  }
}

Task<void> optimizeWhile(DataSite& site, std::atomic<int>& writersLeft, std::atomic<int>& punched) {
  while (writersLeft > 0)
    for (uint32_t segment = 0; segment < 2; ++segment)
      if (co_await site.optimize(segment)) ++punched;
}

Task<void> countDown(Task<void> task, std::atomic<int>& left) {
  co_await std::move(task);
  --left;
}
}  // namespace

class StoredFileTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void agreesWithAByteArray_data();
  void agreesWithAByteArray();
  void writersReadersAndJobsAtOnce();
  void stableWritesSurvivePowerLoss_data();
  void stableWritesSurvivePowerLoss();
  void landingWinsOverTheRecipe();
  void aWriteStopsThePunch();
  void dataBeyondTheSizeNeverComesToLight();
  void aPunchThatIsLostDoesNotBringBackWhatWasCutOff();
  void aRestartMakesNothingLookCold();
  void aHugeSparseFileCostsNothing();
  void aFailedSyncIsFinal();
  void aHoleInTheBlockStoreFailsAloneAndClearly();

 private:
  void step(DataSite& site, Model& model, std::mt19937_64& random);
  void compare(DataSite& site, const Model& model);
};

void StoredFileTest::compare(DataSite& site, const Model& model) {
  std::vector<std::byte> back(span);
  QVERIFY(runTask(site.file().read(base, back)));
  // Beyond the size nothing is promised to readers, who clip; but growth must find zeros there.
  QVERIFY(back == model.bytes);
}

void StoredFileTest::step(DataSite& site, Model& model, std::mt19937_64& random) {
  const uint64_t at = random() % span;
  const uint64_t end = base + at;
  switch (random() % 8) {
    case 0: {  // size
      std::fill(model.bytes.begin() + static_cast<ptrdiff_t>(at), model.bytes.end(), std::byte{0});
      if (end < model.size) {
        ++site.truncateCounter;
        site.size = model.size = end;
        QVERIFY(runTask(site.file().shorten(end)));
      } else {
        QVERIFY(runTask(site.file().zeroTail(model.size)));
        site.size = model.size = end;
      }
      break;
    }
    case 1: runTask(site.optimize(0)); break;
    case 2: runTask(site.optimize(1)); break;
    case 3: site.restart(); break;
    default: {
      const auto data = randomBytes(random, 1 + random() % std::min<uint64_t>(span - at, 40'000));
      QVERIFY(runTask(site.file().write(base + at, data, model.size, random() % 2 ? os::Durability::Durable : os::Durability::None)));
      std::copy(data.begin(), data.end(), model.bytes.begin() + static_cast<ptrdiff_t>(at));
      site.size = model.size = std::max(model.size, base + at + data.size());
    }
  }
}

void StoredFileTest::agreesWithAByteArray_data() {
  QTest::addColumn<quint64>("seed");
  for (quint64 seed = 1; seed <= 6; ++seed) QTest::addRow("seed %llu", seed) << seed;
}

void StoredFileTest::agreesWithAByteArray() {
  QFETCH(quint64, seed);
  std::mt19937_64 random(seed);
  DataSite site(SimDisk::Yield::Never);
  Model model;
  for (int i = 0; i < 150; ++i) {
    step(site, model, random);
    compare(site, model);
    if (QTest::currentTestFailed()) return;
  }
}

void StoredFileTest::writersReadersAndJobsAtOnce() {
  DataSite site;
  constexpr int writerCount = 6;
  constexpr uint64_t share = span / writerCount - 1;  // odd borders: neighbours share blocks
  site.size = base + span;
  std::atomic<int> wrong = 0, left = writerCount, punched = 0;
  std::vector<std::unique_ptr<asio::io_context>> loops;
  for (int i = 0; i < 3; ++i) loops.push_back(std::make_unique<asio::io_context>());
  for (int i = 0; i < writerCount; ++i)
    spawn(*loops[static_cast<size_t>(i) % 2], countDown(writeAndCheck(site, 100 + uint64_t(i), base + uint64_t(i) * share, share, 60, wrong), left));
  spawn(*loops[2], optimizeWhile(site, left, punched));
  std::vector<std::jthread> threads;
  for (auto& loop : loops) threads.emplace_back([&loop] { loop->run(); });
  threads.clear();
  QCOMPARE(wrong.load(), 0);
  QVERIFY(punched > 0);
}

void StoredFileTest::stableWritesSurvivePowerLoss_data() { agreesWithAByteArray_data(); }

// Each byte has a set of values that it may have after power loss: one after a stable write or a sync.
void StoredFileTest::stableWritesSurvivePowerLoss() {
  QFETCH(quint64, seed);
  std::mt19937_64 random(seed * 977);
  DataSite site(SimDisk::Yield::Never);
  site.size = base + span;
  std::vector<ByteSet> possible(span, only(std::byte{0}));
  std::vector<std::byte> back(span);
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 8; ++i) {
      const uint64_t at = random() % span;
      const auto data = randomBytes(random, 1 + random() % std::min<uint64_t>(span - at, 30'000));
      const bool isStable = random() % 2, fails = random() % 6 == 0;
      QVERIFY(runTask(site.file().prepare(site.size)));  // whose sync must not be what fails
      if (fails) site.disk.failAt(1, ErrorCode::NoSpace);
      const auto written = runTask(site.file().write(base + at, data, site.size, isStable ? os::Durability::Durable : os::Durability::None));
      site.disk.failAt(std::nullopt, ErrorCode::NoSpace);
      for (size_t k = 0; k < data.size(); ++k) {
        possible[at + k] = written && isStable ? only(data[k]) : possible[at + k] | only(data[k]);
      }
      if (random() % 3 == 0) runTask(site.optimize(static_cast<uint32_t>(random() % 2)));
    }
    if (random() % 2) {
      QVERIFY(runTask(site.file().read(base, back)));
      QVERIFY(runTask(site.file().sync()));
      std::transform(back.begin(), back.end(), possible.begin(), only);
    }
    site.disk.crash(random);
    site.restart();
    QVERIFY(runTask(site.file().read(base, back)));
    size_t wrongCount = 0;
    for (size_t k = 0; k < span; ++k) wrongCount += (possible[k] & only(back[k])).none();
    QCOMPARE(wrongCount, 0u);
    std::transform(back.begin(), back.end(), possible.begin(), only);
  }
}

void StoredFileTest::landingWinsOverTheRecipe() {
  DataSite site;
  site.size = base + span;
  std::mt19937_64 random(3);
  auto data = randomBytes(random, span);
  QVERIFY(runTask(site.file().write(base, data, site.size, os::Durability::Durable)));
  QVERIFY(runTask(site.optimize(0)) && runTask(site.optimize(1)));
  QCOMPARE(site.file().landedBytes(), 0u);
  compare(site, {data, 0});
  const auto patch = randomBytes(random, 5000);
  QVERIFY(runTask(site.file().write(base + 10'000, patch, site.size, os::Durability::None)));
  std::copy(patch.begin(), patch.end(), data.begin() + 10'000);
  QCOMPARE(site.file().landedBytes(), 2 * blockBytes);
  compare(site, {data, 0});
  site.restart();
  compare(site, {data, 0});
}

void StoredFileTest::aWriteStopsThePunch() {
  DataSite site;
  site.size = segmentBytes;
  std::mt19937_64 random(4);
  const auto data = randomBytes(random, blockBytes);
  QVERIFY(runTask(site.file().write(0, data, site.size, os::Durability::None)));
  const auto view = runTask(site.file().view(0));
  QVERIFY(view && view->landed.count() == 1);
  QVERIFY(runTask(site.file().write(100 * blockBytes, data, site.size, os::Durability::None)));
  QCOMPARE(runTask(site.file().punchIfUnchanged(0, view->writeCounter)).value(), 0u);
  QCOMPARE(site.file().landedBytes(), 2 * blockBytes);
  const auto again = runTask(site.file().view(0));
  QVERIFY(again && again->writeCounter != view->writeCounter);
  QCOMPARE(runTask(site.file().punchIfUnchanged(0, again->writeCounter)).value(), 2 * blockBytes);
  // A failed write may have changed bytes, so it counts too.
  const auto before = runTask(site.file().view(0));
  site.disk.failAt(1, ErrorCode::NoSpace);
  QVERIFY(!runTask(site.file().write(0, data, site.size, os::Durability::None)));
  QVERIFY(runTask(site.file().view(0))->writeCounter != before->writeCounter);
}

// A crash between the landing write and the record of the new size, then growth.
void StoredFileTest::dataBeyondTheSizeNeverComesToLight() {
  DataSite site;
  std::mt19937_64 random(5);
  const auto data = randomBytes(random, span);
  QVERIFY(runTask(site.file().write(base, data, 0, os::Durability::Durable)));
  site.size = base + span;  // the job sees the size in RAM, the namespace loses it
  QVERIFY(runTask(site.optimize(1)));
  const uint64_t kept = 5000;
  site.size = base + kept;
  site.restart();
  QVERIFY(runTask(site.file().zeroTail(site.size)));
  auto expected = data;
  std::fill(expected.begin() + kept, expected.end(), std::byte{0});
  compare(site, {expected, 0});
  site.restart();
  compare(site, {expected, 0});
}

// Optimized (punched, not synced), shortened, grown, then the power fails.
void StoredFileTest::aPunchThatIsLostDoesNotBringBackWhatWasCutOff() {
  DataSite site(SimDisk::Yield::Never);
  std::mt19937_64 random(6);
  const std::vector<std::byte> data(segmentBytes, std::byte{7});
  QVERIFY(runTask(site.file().write(segmentBytes, data, 0, os::Durability::Durable)));
  site.size = 2 * segmentBytes;
  QVERIFY(runTask(site.optimize(1)));
  ++site.truncateCounter;
  QVERIFY(runTask(site.file().shorten(segmentBytes)));
  QVERIFY(runTask(site.file().zeroTail(segmentBytes)));
  site.disk.crash(random);
  site.restart();
  std::vector<std::byte> back(segmentBytes);
  QVERIFY(runTask(site.file().read(segmentBytes, back)));
  QVERIFY(isZero(back));
}

void StoredFileTest::aRestartMakesNothingLookCold() {
  DataSite site(SimDisk::Yield::Never);
  site.size = 2 * segmentBytes;
  const std::vector<std::byte> data(blockBytes, std::byte{1});
  QVERIFY(runTask(site.file().write(0, data, site.size, os::Durability::Durable)));
  QVERIFY(runTask(site.file().write(segmentBytes, data, site.size, os::Durability::Durable)));
  site.modified = site.clock.now();
  site.clock.advance(std::chrono::minutes(10));
  site.restart();
  const auto started = site.clock.steady();
  QVERIFY(runTask(site.file().view(0))->lastWrite == started - std::chrono::minutes(10));
  // Other segments of a disk in use grow old all the same.
  site.clock.advance(std::chrono::hours(2));
  QVERIFY(runTask(site.file().write(segmentBytes, data, site.size, os::Durability::Durable)));
  site.modified = site.clock.now();
  QVERIFY(runTask(site.file().view(0))->lastWrite == started);
  QVERIFY(runTask(site.file().view(1))->lastWrite == site.clock.steady());
}

void StoredFileTest::aHugeSparseFileCostsNothing() {
  DataSite site;
  site.size = uint64_t{16} << 40;
  const std::vector<std::byte> one{std::byte{42}};
  QVERIFY(runTask(site.file().write(site.size - 1, one, site.size, os::Durability::Durable)));
  QCOMPARE(site.file().landedBytes(), blockBytes);
  std::vector<std::byte> back(2);
  QVERIFY(runTask(site.file().read(site.size - 2, back)));
  QVERIFY(back[0] == std::byte{0} && back[1] == std::byte{42});
  QCOMPARE(runTask(site.file().landedSegments())->size(), 1u);
  ++site.truncateCounter;
  QVERIFY(runTask(site.file().shorten(1)));
  QCOMPARE(site.file().landedBytes(), 0u);
}

void StoredFileTest::aFailedSyncIsFinal() {
  DataSite site;
  site.size = blockBytes;
  const std::vector<std::byte> data(blockBytes, std::byte{1});
  QVERIFY(runTask(site.file().write(0, data, site.size, os::Durability::None)));
  site.disk.failAt(1, ErrorCode::IoError);
  QVERIFY(!runTask(site.file().sync()));
  QCOMPARE(site.syncFailures.load(), 1);
  QVERIFY(!runTask(site.file().sync()));
  QVERIFY(!runTask(site.file().write(0, data, site.size, os::Durability::None)));
  std::vector<std::byte> back(blockBytes);
  QVERIFY(runTask(site.file().read(0, back)));
}

void StoredFileTest::aHoleInTheBlockStoreFailsAloneAndClearly() {
  DataSite site;
  site.size = 2 * segmentBytes;
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({DataSite::fileid, 0, {{0, 1, 999'999}}, {}});
  QVERIFY(runTask(site.recipes.commit(std::move(transaction))));
  std::vector<std::byte> back(blockBytes);
  const auto read = runTask(site.file().read(0, back));
  QVERIFY(!read && read.error().code == ErrorCode::Lost);
  QVERIFY(runTask(site.file().read(segmentBytes, back)));
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::StoredFileTest)
#include "stored_file_test.moc"
