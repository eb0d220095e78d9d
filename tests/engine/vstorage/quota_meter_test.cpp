// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/quota_meter.h"

#include <QtTest>
#include <future>

#include "tests/support/vstorage_site.h"

namespace quarry::test {

class QuotaMeterTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void noQuotaFitsEverything();
  void countsFromTheMeasuredBytesOn();
  void doesNotWaitForTheFirstMeasurement();
  void forgetsWhatWasRemovedOnceMeasuredAgain();
  void outlivedByItsMeasurement();

 private:
  static constexpr uint64_t limit = 100 * blockBytes;
  // A file with that many blocks, before the meter was there.
  static FileId fill(VstorageSite& site, Vstorage& vstorage, uint64_t blocks) {
    const FileId file = site.makeFile(vstorage, vstorage.root(), "a");
    if (!site.write(vstorage, file, 0, std::string(blocks * blockBytes, 'x'))) qFatal("not written");
    return file;
  }
  // Until the meter has heard of the figures.
  static void measure(VstorageSite& site) { site.run(site.savings->current(std::chrono::milliseconds(0))); }
};

void QuotaMeterTest::noQuotaFitsEverything() {
  VstorageSite site;
  QuotaMeter meter(*site.savings, site.make("vms")->id());
  QVERIFY(meter.fits(0, ~uint64_t{0}) && site.run(meter.admit(0, ~uint64_t{0})));
}

void QuotaMeterTest::countsFromTheMeasuredBytesOn() {
  VstorageSite site;
  auto vms = site.make("vms");
  fill(site, *vms, 90);
  QuotaMeter meter(*site.savings, vms->id());
  QVERIFY(meter.fits(limit, blockBytes));
  measure(site);
  QCOMPARE(meter.usedBytes(), 90 * blockBytes);
  QVERIFY(meter.fits(limit, 10 * blockBytes) && !meter.fits(limit, 11 * blockBytes));
  QCOMPARE(site.run(meter.admit(limit, 11 * blockBytes)).error().code, ErrorCode::QuotaExceeded);
  meter.noteLanded(10 * blockBytes);
  QCOMPARE(site.run(meter.admit(limit, 1)).error().code, ErrorCode::QuotaExceeded);
  QVERIFY(site.run(meter.admit(limit, 0)));
}

// Until the figures are there, what landed since the start is the bound.
void QuotaMeterTest::doesNotWaitForTheFirstMeasurement() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = fill(site, *vms, 90);
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({file, 1, {{0, 1, metadata::containerBlocks}}, {}});
  QVERIFY(site.run(site.recipes.commit(std::move(transaction))));
  std::promise<void> mayEnd;
  site.recipes.setOnLoadAll([waits = mayEnd.get_future().share()] { waits.wait(); });
  QuotaMeter meter(*site.savings, vms->id());
  QVERIFY(site.run(meter.admit(limit, 60 * blockBytes)));
  meter.noteLanded(60 * blockBytes);
  QVERIFY(meter.fits(limit, 40 * blockBytes) && !meter.fits(limit, 41 * blockBytes));
  mayEnd.set_value();
  measure(site);
  QVERIFY(!meter.fits(limit, 1));
}

void QuotaMeterTest::forgetsWhatWasRemovedOnceMeasuredAgain() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = fill(site, *vms, 90);
  QuotaMeter meter(*site.savings, vms->id());
  QVERIFY(meter.fits(limit, 1));
  measure(site);
  meter.noteLanded(5 * blockBytes);  // overwritten, in truth
  QVERIFY(site.setSize(*vms, file, 20 * blockBytes));
  QVERIFY(!meter.fits(limit, 80 * blockBytes));
  QVERIFY(site.run(meter.admit(limit, 80 * blockBytes)));
  QCOMPARE(meter.usedBytes(), 20 * blockBytes);
}

void QuotaMeterTest::outlivedByItsMeasurement() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = fill(site, *vms, 1);
  metadata::BlockTransaction transaction;
  transaction.recipes.push_back({file, 1, {{0, 1, metadata::containerBlocks}}, {}});
  QVERIFY(site.run(site.recipes.commit(std::move(transaction))));
  std::promise<void> mayEnd;
  site.recipes.setOnLoadAll([waits = mayEnd.get_future().share()] { waits.wait(); });
  QVERIFY(QuotaMeter(*site.savings, vms->id()).fits(limit, 1));  // and the vstorage was removed
  mayEnd.set_value();
  measure(site);
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::QuotaMeterTest)
#include "quota_meter_test.moc"
