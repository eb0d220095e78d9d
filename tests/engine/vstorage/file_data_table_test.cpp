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
  void finishesShorteningsAtTheStart();
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
  QVERIFY(site.run(site.files->get(987'654)->write(0, asBytes(text), 0, os::Durability::Durable)));
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({555, 0, {{0, 1, 4096}}, {}});
  transaction.recipes.push_back({file, 1, {{0, 1, 4096}}, {}});
  QVERIFY(site.run(site.recipes.commit(std::move(transaction))));
  QCOMPARE(site.disk.fileCount(), 2u);
  site.restart();
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
  QVERIFY(site.run(site.files->recover()));
  QVERIFY(!site.inodes->get(file)->pendingTruncate);
  QCOMPARE(site.files->get(file)->landedBytes(), blockBytes);
  vms = site.table->find("vms");
  QVERIFY(site.setSize(*vms, file, 20));
  QCOMPARE(site.read(*vms, file, 0, 100), std::string(10, 'x') + std::string(10, '\0'));
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::FileDataTableTest)
#include "file_data_table_test.moc"
