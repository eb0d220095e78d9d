// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/exported_vstorage.h"

#include <QtTest>
#include <asio/post.hpp>
#include <future>
#include <random>

#include "engine/base/spawn.h"
#include "tests/support/vstorage_site.h"

namespace quarry::test {

class ExportedVstorageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void writesReadsAndCommits();
  void aCommitClaimsNoChangeOfOthers();
  void theHitCurveCountsWhatClientsReadAndOnce();
  void endOfFileAndSizeAgree();
  void truncatedBytesStayGone();
  void stableSizesOutliveAKill();
  void truncatesAndExtendingWritesComeOneAfterTheOther();
  void limitsOfSizeAndQuota();
  void theReserveIsForLockFiles();
  void optimizedDataIsRewrittenInAFullStore();
  void rewritingOptimizedDataNeedsNoQuota();
  void lockFilesDoNotWaitForTheQuota();
  void aFailedShorteningIsFinishedBeforeLaterWrites();
  void aFailedSyncTurnsTheStoreReadOnly();
  void runningOutOfDescriptorsIsNoFailedSync();
  void namesAndPermissions();
  void listings();
  void removedFilesAreStale();
  void aReadThatARemovalOvertookIsStale();
  void squashing();
};

void ExportedVstorageTest::writesReadsAndCommits() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  const auto stable = site.write(*vms, file, 3, "hello", Stability::DataSync);
  QVERIFY(stable && stable->reached == Stability::FileSync && stable->count == 5);
  QCOMPARE(stable->change.after.size, 8u);
  QCOMPARE(site.read(*vms, file, 0, 100), std::string("\0\0\0hello", 8));
  const auto loose = site.write(*vms, file, 10'000, "x", Stability::Unstable);
  QVERIFY(loose && loose->reached == Stability::Unstable);
  QVERIFY(site.run(vms->commit(VstorageSite::root, file, 0, 0)));
  const auto part = site.run(vms->read(VstorageSite::root, file, 9'999, 2));
  QVERIFY(part && part->eof && part->count == 2);
  QVERIFY(!site.run(vms->read(VstorageSite::root, file, 9'999, 1))->eof);
  const auto beyond = site.run(vms->read(VstorageSite::root, file, 20'000, 5));
  QVERIFY(beyond && beyond->eof && beyond->count == 0);
  QCOMPARE(site.recorders.counts("vstorage/vms")->writeBytes.load(), 6u);
  QCOMPARE(site.recorders.counts("engine")->writeBytes.load(), 6u);
}

// What another host writes while the sync runs must not look to the client as if it had done it itself.
void ExportedVstorageTest::aCommitClaimsNoChangeOfOthers() {
  VstorageSite site(SimDisk::Yield::PerBlock);
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, "mine", Stability::Unstable));
  const Timestamp before = site.inodes->get(file)->changed;
  asio::io_context context;
  Timestamp between;
  asio::post(context, [&] {  // the commit's first step comes before this one, its last one after
    asio::post(context, [&] { between = site.inodes->touchWritten(file, 4)->after.changed; });
  });
  const auto committed = runTask(context, vms->commit(VstorageSite::root, file, 0, 0));
  QVERIFY(committed && between > before);
  QCOMPARE(committed->before.changed.unixNs, between.unixNs);
  QCOMPARE(committed->after.changed.unixNs, between.unixNs);
}

// Neither what is read ahead for a client nor what a write of part of a block reads.
void ExportedVstorageTest::theHitCurveCountsWhatClientsReadAndOnce() {
  VstorageSite site;
  const auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "disk.img");
  constexpr uint64_t blocks = 256;
  QVERIFY(site.write(*vms, file, 0, std::string(blocks * blockBytes, 'x')));
  const auto accessCount = [&site] { return site.caches->write().engineAccount().curve.accessCount(); };
  for (uint64_t block = 0; block < blocks; block += 8) QCOMPARE(site.read(*vms, file, block * blockBytes, 8 * blockBytes).size(), 8 * blockBytes);
  site.drain();
  QCOMPARE(accessCount(), blocks);
  QVERIFY(site.write(*vms, file, 100, "part of a block"));
  QCOMPARE(accessCount(), blocks);
  site.read(*vms, file, 0, 1);
  QCOMPARE(accessCount(), blocks + 1);
}

// Another host extends the file while it is read.
void ExportedVstorageTest::endOfFileAndSizeAgree() {
  VstorageSite site(SimDisk::Yield::PerBlock);
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, std::string(blockBytes, 'x')));
  asio::io_context context;
  asio::post(context, [&] {
    asio::post(context, [&] { QVERIFY(site.inodes->touchWritten(file, 3 * blockBytes)); });
  });
  const auto read = runTask(context, vms->read(VstorageSite::root, file, 0, 2 * blockBytes));
  QVERIFY(read.has_value());
  QCOMPARE(read->inode.size, 3 * blockBytes);
  QCOMPARE(read->count, uint32_t{2 * blockBytes});
  QVERIFY(!read->eof);
}

void ExportedVstorageTest::truncatedBytesStayGone() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, std::string(20'000, 'x')));
  QVERIFY(site.setSize(*vms, file, 4097));
  QVERIFY(site.setSize(*vms, file, 1 << 20));
  QCOMPARE(site.read(*vms, file, 4096, 10'000), "x" + std::string(9'999, '\0'));
  QVERIFY(!site.inodes->get(file)->pendingTruncate);
  QCOMPARE(site.inodes->get(file)->size, uint64_t{1} << 20);
  // A guard that does not match changes nothing.
  metadata::AttributeChange guarded;
  guarded.size = 0;
  guarded.guardChanged = Timestamp{1};
  const auto refused = site.run(vms->setAttributes(VstorageSite::root, file, guarded));
  QVERIFY(!refused && refused.error().code == ErrorCode::NotSync);
  QCOMPARE(site.read(*vms, file, 0, 1), std::string("x"));
}

void ExportedVstorageTest::stableSizesOutliveAKill() {
  VstorageSite site;
  std::mt19937_64 random(1);
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, std::string(5000, 'x')));
  // A landing write whose size was never recorded, as a kill leaves it.
  const std::string tail(5000, 'y');
  QVERIFY(site.run(site.files->get(file)->write(5000, asBytes(tail), 5000, os::Durability::Durable)));
  site.disk.crash(random);
  site.restart();
  vms = site.table->find("vms");
  QCOMPARE(site.read(*vms, file, 0, 20'000), std::string(5000, 'x'));
  QVERIFY(site.write(*vms, file, 12'000, "z"));
  QCOMPARE(site.read(*vms, file, 4999, 20'000), "x" + std::string(7000, '\0') + "z");
}

namespace {
Task<void> extendMany(Vstorage& vstorage, FileId file, std::atomic<int>& wrong) {
  const std::string data(3000, 'w');
  for (int i = 0; i < 60; ++i) {
    const auto written = co_await vstorage.write(VstorageSite::root, {file, 10'000, asBytes(data), Stability::Unstable});
    if (!written) ++wrong;
    // Whole or gone, never a hole where acknowledged bytes were: the truncation came before or after.
    const auto back = co_await vstorage.read(VstorageSite::root, file, 10'000, 3000);
    if (!back) ++wrong;
    if (back && back->count > 0 && std::string(asText(copyOf(*back))) != data.substr(0, back->count)) ++wrong;
  }
}
Task<void> truncateMany(Vstorage& vstorage, FileId file, std::atomic<int>& wrong) {
  for (int i = 0; i < 60; ++i) {
    metadata::AttributeChange change;
    change.size = 5000;
    const auto changed = co_await vstorage.setAttributes(VstorageSite::root, file, std::move(change));
    if (!changed || changed->after.size != 5000) ++wrong;
  }
}
}  // namespace

void ExportedVstorageTest::truncatesAndExtendingWritesComeOneAfterTheOther() {
  VstorageSite site(SimDisk::Yield::PerBlock);
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, std::string(5000, 'x')));
  std::atomic<int> wrong = 0;
  asio::io_context first, second;
  spawn(first, extendMany(*vms, file, wrong));
  spawn(second, truncateMany(*vms, file, wrong));
  std::jthread other([&second] { second.run(); });
  first.run();
  other.join();
  QCOMPARE(wrong.load(), 0);
  QCOMPARE(site.read(*vms, file, 0, 5000), std::string(5000, 'x'));
  const uint64_t size = site.inodes->get(file)->size;
  QVERIFY(size == 5000 || size == 13'000);
  const std::string gap = size == 5000 ? "" : site.read(*vms, file, 5000, 5000);
  QVERIFY(gap.empty() || gap == std::string(5000, '\0'));
}

void ExportedVstorageTest::limitsOfSizeAndQuota() {
  VstorageSite site;
  auto vms = site.make("vms", 100 * blockBytes);
  const FileId file = site.makeFile(*vms, vms->root(), "a"), lock = site.makeFile(*vms, vms->root(), ".lck-0100000000000000");
  QCOMPARE(site.write(*vms, file, fileBytesMax, "x").error().code, ErrorCode::FileTooBig);
  QCOMPARE(site.write(*vms, file, ~uint64_t{0}, "x").error().code, ErrorCode::FileTooBig);
  QCOMPARE(site.setSize(*vms, file, fileBytesMax + 1).error().code, ErrorCode::FileTooBig);
  QVERIFY(site.setSize(*vms, file, fileBytesMax));  // sparse: no quota
  QVERIFY(site.write(*vms, file, 0, std::string(90 * blockBytes, 'x')));
  QCOMPARE(site.write(*vms, file, 200 * blockBytes, std::string(20 * blockBytes, 'y')).error().code, ErrorCode::QuotaExceeded);
  QVERIFY(site.write(*vms, lock, 0, std::string(20 * blockBytes, 'l')));  // or its host would lose the VM
  QVERIFY(site.setSize(*vms, lock, 0));
  QVERIFY(site.write(*vms, file, 0, std::string(90 * blockBytes, 'z')));  // an overwrite takes nothing
  QVERIFY(vms->space().availableBytes <= 10 * blockBytes);
  QCOMPARE(vms->space().totalBytes, 100 * blockBytes);
  QVERIFY(site.setSize(*vms, file, 10 * blockBytes));
  site.clock.advance(std::chrono::seconds(1));
  QVERIFY(site.write(*vms, file, 200 * blockBytes, std::string(20 * blockBytes, 'y')));
}

void ExportedVstorageTest::theReserveIsForLockFiles() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a"), lock = site.makeFile(*vms, vms->root(), ".lck-0100000000000000");
  QVERIFY(site.write(*vms, file, 0, "before"));
  site.disk.setSpace(1ull << 30, 60ull << 20);
  site.clock.advance(std::chrono::seconds(1));
  QCOMPARE(site.write(*vms, file, blockBytes, "more").error().code, ErrorCode::NoSpace);
  QVERIFY(site.write(*vms, file, 0, "rewrite"));
  QVERIFY(site.write(*vms, lock, 0, "host"));
  QCOMPARE(vms->space().availableBytes, 0u);
  QCOMPARE(site.read(*vms, file, 0, 100), std::string("rewrite"));
  QVERIFY(site.run(vms->remove(VstorageSite::root, vms->root(), "a")));
}

namespace {
// Blocks 0 to 9 of a new file are optimized, whatever they hold.
FileId makeOptimized(VstorageSite& site, Vstorage& vstorage, const std::string& name) {
  const FileId file = site.makeFile(vstorage, vstorage.root(), name);
  const std::vector<std::byte> block(blockBytes, std::byte{'o'});
  metadata::PhysicalBlock first = site.blocks.put(block);
  for (int i = 1; i < 10; ++i) site.blocks.put(block);
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({file, 0, {{0, 10, first}}, {}});
  if (!site.setSize(vstorage, file, segmentBytes) || !site.run(site.recipes.commit(std::move(transaction)))) qFatal("no optimized file");
  return file;
}
}  // namespace

void ExportedVstorageTest::optimizedDataIsRewrittenInAFullStore() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = makeOptimized(site, *vms, "a"), lock = site.makeFile(*vms, vms->root(), ".lck-0100000000000000");
  site.disk.setSpace(1ull << 30, 60ull << 20);
  site.clock.advance(std::chrono::seconds(1));
  QVERIFY(site.write(*vms, file, 100, "in place"));
  QVERIFY(site.write(*vms, file, 5 * blockBytes, std::string(5 * blockBytes, '\0')));  // zeros are data, they hide what was there
  QCOMPARE(site.write(*vms, file, 9 * blockBytes, std::string(2 * blockBytes, 'n')).error().code, ErrorCode::NoSpace);  // one block of it is new
  QCOMPARE(site.write(*vms, file, 20 * blockBytes, "new").error().code, ErrorCode::NoSpace);
  QCOMPARE(site.read(*vms, file, 98, 12), std::string("ooin placeoo"));
  QVERIFY(site.setSize(*vms, file, 2 * blockBytes + 1) && site.setSize(*vms, file, segmentBytes));
  QCOMPARE(site.read(*vms, file, 2 * blockBytes, 3), std::string("o\0\0", 3));
  // What is left at the very end is for lock files.
  site.disk.setSpace(1ull << 30, 8ull << 20);
  site.clock.advance(std::chrono::seconds(1));
  QCOMPARE(site.write(*vms, file, blockBytes, "in place").error().code, ErrorCode::NoSpace);
  QVERIFY(site.write(*vms, lock, 0, "host"));
}

void ExportedVstorageTest::rewritingOptimizedDataNeedsNoQuota() {
  VstorageSite site;
  auto vms = site.make("vms", 12 * blockBytes);
  const FileId file = makeOptimized(site, *vms, "a");
  for (int round = 0; round < 3; ++round) QVERIFY(site.write(*vms, file, 0, std::string(10 * blockBytes, char('a' + round))));
  site.clock.advance(std::chrono::seconds(20));  // figures of blocks hidden by a write lag that much behind
  QVERIFY(site.write(*vms, file, 10 * blockBytes, std::string(2 * blockBytes, 'n')));
  site.clock.advance(std::chrono::seconds(1));
  QCOMPARE(site.write(*vms, file, 12 * blockBytes, "n").error().code, ErrorCode::QuotaExceeded);
  QVERIFY(site.write(*vms, file, 0, std::string(12 * blockBytes, 'z')));
}

// However long the figures of the whole store take: here they never come.
void ExportedVstorageTest::lockFilesDoNotWaitForTheQuota() {
  VstorageSite site;
  auto vms = site.make("vms", 2 * blockBytes);
  const FileId lock = site.makeFile(*vms, vms->root(), ".lck-0100000000000000"), file = site.makeFile(*vms, vms->root(), "a");
  std::promise<void> mayEnd;
  site.recipes.setOnLoadAll([waits = mayEnd.get_future().share()] { waits.wait(); });
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({file, 0, {{0, 1, metadata::containerBlocks}}, {}});
  QVERIFY(site.run(site.recipes.commit(std::move(transaction))));
  QVERIFY(site.write(*vms, file, blockBytes, "first"));
  for (int i = 0; i < 10; ++i) QVERIFY(site.write(*vms, lock, i * blockBytes, "host"));
  mayEnd.set_value();
}

void ExportedVstorageTest::aFailedShorteningIsFinishedBeforeLaterWrites() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, std::string(50'000, 'x')));
  site.disk.failAt(1, ErrorCode::NoSpace);
  QVERIFY(!site.setSize(*vms, file, 100));
  QVERIFY(site.inodes->get(file)->pendingTruncate);
  QVERIFY(site.write(*vms, file, 30'000, "new"));
  QVERIFY(!site.inodes->get(file)->pendingTruncate);
  site.restart();
  QCOMPARE(site.run(site.files->recover()), size_t{0});
  vms = site.table->find("vms");
  QCOMPARE(site.read(*vms, file, 99, 100'000), "x" + std::string(29'900, '\0') + "new");
}

void ExportedVstorageTest::aFailedSyncTurnsTheStoreReadOnly() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, "text", Stability::Unstable));
  site.disk.failAt(1, ErrorCode::IoError);
  const auto committed = site.run(vms->commit(VstorageSite::root, file, 0, 0));
  QVERIFY(!committed && committed.error().code == ErrorCode::IoError);
  QVERIFY(committed.error().message.find("vms/a") != std::string::npos);
  QVERIFY(vms->readOnly());
  QCOMPARE(site.write(*vms, file, 0, "x").error().code, ErrorCode::ReadOnly);
  QCOMPARE(site.read(*vms, file, 0, 4), std::string("text"));
}

void ExportedVstorageTest::runningOutOfDescriptorsIsNoFailedSync() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId closed = site.makeFile(*vms, vms->root(), "closed"), fresh = site.makeFile(*vms, vms->root(), "fresh");
  const FileId unsynced = site.makeFile(*vms, vms->root(), "unsynced");
  QVERIFY(site.write(*vms, closed, 0, "old") && site.write(*vms, unsynced, 0, "text", Stability::Unstable));
  QVERIFY(site.files->get(closed)->landing().closeIfClean());
  site.disk.setOutOfDescriptors(true);
  for (const Stability stability : {Stability::Unstable, Stability::FileSync}) {
    QCOMPARE(site.write(*vms, closed, 0, "new", stability).error().code, ErrorCode::Busy);
    QCOMPARE(site.write(*vms, fresh, 0, "new", stability).error().code, ErrorCode::Busy);
  }
  QCOMPARE(site.run(vms->commit(VstorageSite::root, unsynced, 0, 0)).error().code, ErrorCode::Busy);  // its folder cannot be opened
  QCOMPARE(site.read(*vms, closed, 0, 3), std::string("error: busy"));
  QVERIFY(!vms->readOnly());
  site.disk.setOutOfDescriptors(false);
  QVERIFY(site.write(*vms, closed, 0, "new") && site.write(*vms, fresh, 0, "new"));
  QVERIFY(site.run(vms->commit(VstorageSite::root, unsynced, 0, 0)));
  QVERIFY(site.files->get(unsynced)->landing().isClean());
  QCOMPARE(site.read(*vms, closed, 0, 3), std::string("new"));
}

void ExportedVstorageTest::namesAndPermissions() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId folder = site.makeFolder(*vms, vms->root(), "private");
  const FileId file = site.makeFile(*vms, folder, "a");
  QVERIFY(site.write(*vms, file, 0, "secret"));
  CreateRequest request;
  request.directory = folder;
  for (const std::string& bad : {std::string(), std::string("."), std::string(".."), std::string("a/b"), std::string("a\0b", 3)}) {
    request.name = bad;
    QCOMPARE(site.run(vms->create(VstorageSite::root, request)).error().code, ErrorCode::InvalidArgument);
  }
  request.name = std::string(256, 'x');
  QCOMPARE(site.run(vms->create(VstorageSite::root, request)).error().code, ErrorCode::NameTooLong);
  request.name = "mine";
  QCOMPARE(site.run(vms->create(VstorageSite::user, request)).error().code, ErrorCode::AccessDenied);
  QCOMPARE(site.run(vms->remove(VstorageSite::user, folder, "a")).error().code, ErrorCode::AccessDenied);
  QCOMPARE(site.write(*vms, file, 0, "x", Stability::FileSync, VstorageSite::user).error().code, ErrorCode::AccessDenied);
  QCOMPARE(site.run(vms->rename(VstorageSite::user, {folder, "a", vms->root(), "b"})).error().code, ErrorCode::AccessDenied);
  QVERIFY(vms->lookup(VstorageSite::user, folder, "a"));
  metadata::AttributeChange closed;
  closed.mode = 0600;
  QVERIFY(site.run(vms->setAttributes(VstorageSite::root, folder, closed)));
  QCOMPARE(vms->lookup(VstorageSite::user, folder, "a").error().code, ErrorCode::AccessDenied);
  QCOMPARE(vms->readDirectory(VstorageSite::user, folder, 0, 10).error().code, ErrorCode::AccessDenied);
  auto other = site.make("other");
  QCOMPARE(other->getAttributes(file).error().code, ErrorCode::Stale);
  QCOMPARE(site.write(*vms, folder, 0, "x").error().code, ErrorCode::IsDirectory);
}

void ExportedVstorageTest::listings() {
  VstorageSite site;
  auto vms = site.make("vms");
  for (int i = 0; i < 5; ++i) site.makeFile(*vms, vms->root(), "f" + std::to_string(i));
  std::vector<std::string> names;
  uint64_t cookie = 0;
  for (int pages = 0; pages < 20; ++pages) {
    const auto page = vms->readDirectory(VstorageSite::user, vms->root(), cookie, 2);
    QVERIFY(page && page->entries.size() <= 2);
    for (const auto& entry : page->entries) names.push_back(entry.name);
    if (page->atEnd) break;
    QVERIFY(!page->entries.empty());
    cookie = page->entries.back().cookie;
  }
  QCOMPARE(names, (std::vector<std::string>{".", "..", "f0", "f1", "f2", "f3", "f4"}));
}

void ExportedVstorageTest::removedFilesAreStale() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, "data"));
  QVERIFY(site.run(vms->link(VstorageSite::root, file, vms->root(), "b")));
  QVERIFY(site.run(vms->remove(VstorageSite::root, vms->root(), "a")));
  site.drain();
  QCOMPARE(site.read(*vms, file, 0, 10), std::string("data"));  // the second link
  QCOMPARE(site.disk.fileCount(), 1u);
  QVERIFY(site.run(vms->remove(VstorageSite::root, vms->root(), "b")));
  QCOMPARE(site.write(*vms, file, 0, "x").error().code, ErrorCode::Stale);
  QCOMPARE(site.read(*vms, file, 0, 10), std::string("error: stale"));
  site.drain();
  QCOMPARE(site.disk.fileCount(), 0u);
}

// Removed between the two parts of the read: the second finds neither landed blocks nor a recipe.
void ExportedVstorageTest::aReadThatARemovalOvertookIsStale() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, segmentBytes - blockBytes, std::string(2 * blockBytes, 'x')));
  site.disk.setOnRead([&site, &vms] {
    QVERIFY(site.run(vms->remove(VstorageSite::root, vms->root(), "a")));
    site.drain();
  });
  QCOMPARE(site.read(*vms, file, segmentBytes - blockBytes, 2 * blockBytes), std::string("error: stale"));
}

void ExportedVstorageTest::squashing() {
  VstorageSite site;
  auto vms = site.make("vms");
  const Caller asked{0, 0, {0, 5}};
  QCOMPARE(vms->squash(asked).uid, 0u);
  protocol::VstorageSet change;
  change.name = "vms";
  change.squash = protocol::Squash::Root;
  QVERIFY(site.run(site.table->set(change)));
  QCOMPARE(vms->squash(asked).uid, 65534u);
  QCOMPARE(vms->squash(Caller{7, 0, {0}}).gid, 65534u);
  QCOMPARE(vms->squash(Caller{7, 7, {}}).uid, 7u);
  change.squash = protocol::Squash::All;
  change.readOnly = true;
  QVERIFY(site.run(site.table->set(change)));
  QCOMPARE(vms->squash(Caller{7, 7, {7}}).uid, 65534u);
  QVERIFY(vms->readOnly());
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::ExportedVstorageTest)
#include "exported_vstorage_test.moc"
