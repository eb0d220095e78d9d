// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/savings_accountant.h"

#include <QtTest>
#include <random>
#include <utility>

#include "tests/support/vstorage_site.h"

namespace quarry::test {

class SavingsAccountantTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sharesAContainerByReferences();
  void partsMakeTheWhole();
  void keepsFiguresUntilTheyAge();
  void leavesNoFileOpen();

 private:
  static bool addsUp(const protocol::Savings& s) {
    return s.logicalBytes == s.zeroBytes + s.duplicateBytes + s.compressedAwayBytes + s.storedBytes && s.landingBytes <= s.storedBytes;
  }
  static void commit(VstorageSite& site, FileId file, uint32_t segment, metadata::Recipe recipe, std::vector<metadata::ContainerRow> containers = {}) {
    metadata::BlockTransaction transaction;
    transaction.containers = std::move(containers);
    transaction.recipes.push_back({file, segment, std::move(recipe), {}});
    QVERIFY(site.run(site.recipes.commit(std::move(transaction))));
    site.savings->recipesChanged(file);
  }
};

// Two clones of 100 blocks, compressed to half: each holds a quarter of its bytes.
void SavingsAccountantTest::sharesAContainerByReferences() {
  VstorageSite site;
  auto vms = site.make("vms");
  const uint64_t raw = 100 * blockBytes;
  for (const char* name : {"a", "b"}) {
    const FileId file = site.makeFile(*vms, vms->root(), name);
    QVERIFY(site.setSize(*vms, file, segmentBytes));
    std::vector<metadata::ContainerRow> containers;
    if (name[0] == 'a') containers.push_back({1, 25, 100, raw / 2, raw});
    commit(site, file, 0, {{0, 100, metadata::containerBlocks}}, std::move(containers));
  }
  const auto snapshot = site.run(site.savings->current(std::chrono::milliseconds(0)));
  QCOMPARE(snapshot->total.logicalBytes, 2 * segmentBytes);
  QCOMPARE(snapshot->total.zeroBytes, 2 * segmentBytes - 2 * raw);
  QCOMPARE(snapshot->total.duplicateBytes, raw);
  QCOMPARE(snapshot->total.compressedAwayBytes, raw / 2);
  QCOMPARE(snapshot->total.storedBytes, raw / 2);
  QCOMPARE(snapshot->total.savedRatio, 0.75);
  QCOMPARE(snapshot->file(site.inodes->lookup(vms->root(), "a")->fileid).storedBytes, raw / 4);
}

void SavingsAccountantTest::partsMakeTheWhole() {
  VstorageSite site;
  std::mt19937_64 random(11);
  std::vector<std::shared_ptr<Vstorage>> vstorages{site.make("one"), site.make("two")};
  std::vector<metadata::ContainerRow> containers;
  for (metadata::ContainerNumber number = 1; number <= 4; ++number)
    containers.push_back({number, 1024, 4096, random() % (4096 * blockBytes), 4096 * blockBytes});
  for (int i = 0; i < 12; ++i) {
    auto& vstorage = *vstorages[random() % 2];
    const FileId file = site.makeFile(vstorage, vstorage.root(), "f" + std::to_string(i));
    QVERIFY(site.setSize(vstorage, file, 1 + random() % (2 * segmentBytes)));
    const auto first = uint32_t(random() % 500), count = uint32_t(1 + random() % 500);
    commit(site, file, 0, {{first, count, metadata::containerBlocks * (1 + random() % 4) + random() % 3000}}, std::exchange(containers, {}));
    // Whole blocks: there is nothing behind the recipes to complete others with.
    QVERIFY(site.write(vstorage, file, random() % 30 * blockBytes, std::string((1 + random() % 30) * blockBytes, 'x')));
  }
  const auto snapshot = site.run(site.savings->current(std::chrono::milliseconds(0)));
  protocol::Savings files, both;
  for (const auto& [fileid, savings] : snapshot->files) {
    QVERIFY(addsUp(savings));
    add(files, savings);
  }
  for (const auto& vstorage : vstorages) add(both, snapshot->vstorage(vstorage->id()));
  QCOMPARE(snapshot->files.size(), 12u);
  QVERIFY(addsUp(snapshot->total));
  QVERIFY(files == snapshot->total && both == snapshot->total);
}

void SavingsAccountantTest::keepsFiguresUntilTheyAge() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  const auto first = site.run(site.savings->current(std::chrono::seconds(2)));
  QVERIFY(site.write(*vms, file, 0, "data"));
  QVERIFY(site.run(site.savings->current(std::chrono::seconds(2))) == first);
  site.clock.advance(std::chrono::seconds(3));
  QCOMPARE(site.run(site.savings->current(std::chrono::seconds(2)))->total.landingBytes, 4u);
  QVERIFY(site.savings->last()->total.landingBytes == 4);
}

// A store has far more files than a process may have open.
void SavingsAccountantTest::leavesNoFileOpen() {
  VstorageSite site;
  auto vms = site.make("vms");
  for (int i = 0; i < 20; ++i) QVERIFY(site.write(*vms, site.makeFile(*vms, vms->root(), "f" + std::to_string(i)), 0, "data"));
  site.restart();
  const auto snapshot = site.run(site.savings->current(std::chrono::milliseconds(0)));
  QCOMPARE(snapshot->total.landingBytes, 20 * 4u);
  QCOMPARE(site.files->openFileCount(), 0u);
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::SavingsAccountantTest)
#include "savings_accountant_test.moc"
