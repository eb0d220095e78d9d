// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/file_data_table.h"

#include <QtTest>

#include "tests/support/vstorage_site.h"

namespace quarry::test {

class FileDataTableTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void closesTheLeastRecentlyUsed();
  void deletesOrphans();
  void keepsEverythingWhenTheNamespaceIsEmpty();
  void keepsDataOfAnOlderNamespace();
  void keepsDataOfAFileWhoseRemovalFails();
  void finishesShorteningsAtTheStart();
  void aShorteningThatCannotBeFinishedStopsNobodyElse();
};

void FileDataTableTest::closesTheLeastRecentlyUsed() {
  VstorageSite site;
  site.openFilesMax = 16;
  site.restart();
  auto vms = site.make("vms");
  std::vector<FileId> files;
  for (int i = 0; i < 40; ++i) {
    files.push_back(site.makeFile(*vms, vms->root(), "f" + std::to_string(i)));
    QVERIFY(site.write(*vms, files.back(), 0, "file " + std::to_string(i), i % 2 ? Stability::FileSync : Stability::Unstable));
    site.drain();
  }
  QVERIFY(site.files->openFileCount() <= 17);
  const auto view = site.run(site.files->get(files[0])->view(0));
  QVERIFY(view && view->landed.count() == 1 && view->lastWrite > std::chrono::steady_clock::time_point::min());
  for (int i = 0; i < 40; ++i) QCOMPARE(site.read(*vms, files[size_t(i)], 0, 100), "file " + std::to_string(i));
}

void FileDataTableTest::deletesOrphans() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, "data"));
  const std::string text(blockBytes, 'o');
  const FileId gone = site.makeFile(*vms, vms->root(), "gone"), optimizedGone = site.makeFile(*vms, vms->root(), "optimized");
  for (const char* name : {"gone", "optimized"}) QVERIFY(site.run(vms->remove(VstorageSite::root, vms->root(), name)));
  site.drain();
  QVERIFY(site.run(site.files->get(gone)->write(0, asBytes(text), 0, os::Durability::Durable)));
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({optimizedGone, 0, {{0, 1, 4096}}, {}});
  transaction.recipes.push_back({file, 1, {{0, 1, 4096}}, {}});
  QVERIFY(site.run(site.recipes.commit(std::move(transaction))));
  QCOMPARE(site.disk.fileCount(), 2u);
  site.restart();
  QVERIFY(site.run(site.files->keepUnknownData()));
  site.files->startOrphanSweep();
  site.drain();
  QCOMPARE(site.disk.fileCount(), 1u);
  QCOMPARE(site.recipes.files(), std::vector<FileId>{file});
  QCOMPARE(site.read(*site.table->find("vms"), file, 0, 10), std::string("data"));
}

void FileDataTableTest::keepsEverythingWhenTheNamespaceIsEmpty() {
  VstorageSite site;
  const std::string text(blockBytes, 'o');
  QVERIFY(site.run(site.files->get(987'654)->write(0, asBytes(text), 0, os::Durability::Durable)));
  site.files->startOrphanSweep();
  site.drain();
  QCOMPARE(site.disk.fileCount(), 1u);
}

// namespace.db was brought back from a backup: files made since have data and no inode.
void FileDataTableTest::keepsDataOfAnOlderNamespace() {
  VstorageSite site;
  std::vector<std::string> told;
  auto vms = site.make("vms");
  const FileId newest = site.inodes->nextFileId() + 10;
  const std::string text(blockBytes, 'o');
  QVERIFY(site.run(site.files->get(newest)->write(0, asBytes(text), 0, os::Durability::Durable)));
  for (int start = 0; start < 3; ++start) {  // nor at a later start
    site.restart();
    site.health->setOnDamage([&told](const Error& error) { told.push_back(error.message); });
    QVERIFY(site.run(site.files->keepUnknownData()));
    site.files->startOrphanSweep();
    site.drain();
    QCOMPARE(site.disk.fileCount(), 1u);
    QVERIFY(site.makeFile(*site.table->find("vms"), vms->root(), "new" + std::to_string(start)) > newest);
  }
  QCOMPARE(told.size(), size_t{1});
  QVERIFY(told[0].find("namespace.db is older") != std::string::npos);
}

// The removal shows in RAM, and its transaction fails: the file comes back, and so must its data.
void FileDataTableTest::keepsDataOfAFileWhoseRemovalFails() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, "data"));
  std::atomic<bool> isSwept = false;
  site.setOnCommit([&] {
    site.files->startOrphanSweep();  // while the inode is gone from RAM and its removal not durable
    QTest::qSleep(50);
    isSwept = true;
    return true;
  });
  const auto removed = site.run(vms->remove(VstorageSite::root, vms->root(), "a"));
  QVERIFY(!removed && isSwept);
  site.drain();
  QCOMPARE(site.disk.fileCount(), 1u);
  QCOMPARE(site.read(*vms, file, 0, 10), std::string("data"));
}

void FileDataTableTest::finishesShorteningsAtTheStart() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, std::string(100'000, 'x')));
  metadata::AttributeChange change;
  change.size = 10;
  QVERIFY(site.run(site.inodes->beginTruncate(file, change)));  // and then the engine died
  site.restart();
  QVERIFY(site.inodes->get(file)->pendingTruncate);
  QCOMPARE(site.run(site.files->recover()), size_t{0});
  QVERIFY(!site.inodes->get(file)->pendingTruncate);
  QCOMPARE(site.files->get(file)->landedBytes(), blockBytes);
  vms = site.table->find("vms");
  QVERIFY(site.setSize(*vms, file, 20));
  QCOMPARE(site.read(*vms, file, 0, 100), std::string(10, 'x') + std::string(10, '\0'));
}

// The new end lies in a block whose container is lost.
void FileDataTableTest::aShorteningThatCannotBeFinishedStopsNobodyElse() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId damaged = site.makeFile(*vms, vms->root(), "damaged"), sound = site.makeFile(*vms, vms->root(), "sound");
  QVERIFY(site.setSize(*vms, damaged, segmentBytes) && site.write(*vms, sound, 0, std::string(100'000, 'x')));
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({damaged, 0, {{0, 1, 999'999}}, {}});
  QVERIFY(site.run(site.recipes.commit(std::move(transaction))));
  metadata::AttributeChange change;
  change.size = 10;
  for (const FileId file : {damaged, sound}) QVERIFY(site.run(site.inodes->beginTruncate(file, change)));
  site.restart();
  QCOMPARE(site.run(site.files->recover()), size_t{1});
  std::vector<std::string> told;  // also by who listens only later
  site.health->setOnDamage([&told](const Error& error) { told.push_back(error.message); });
  QCOMPARE(told.size(), size_t{1});
  QVERIFY(told[0].starts_with("damaged: "));
  vms = site.table->find("vms");
  QVERIFY(!site.inodes->get(sound)->pendingTruncate && site.inodes->get(damaged)->pendingTruncate);
  QVERIFY(site.write(*vms, sound, 0, "more"));
  QCOMPARE(site.write(*vms, damaged, 5000, "more").error().code, ErrorCode::Lost);  // it would come to light behind the old bytes
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::FileDataTableTest)
#include "file_data_table_test.moc"
