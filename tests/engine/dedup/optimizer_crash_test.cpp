// SPDX-License-Identifier: GPL-3.0-or-later
// Power is lost at every step of an optimize job: after each change of the disk and after each transaction. Every file must read as before,
// from what was durable then, and the next run must finish the work.
#include <QTest>
#include <random>

#include "tests/support/dedup_site.h"

using namespace quarry;
using quarry::test::DedupSite;
using quarry::test::madeSegments;
using quarry::test::RecordingMonitor;
using quarry::test::SimFileSystem;

namespace {

void fill(DedupSite& site) {
  site.addFile("a.vmdk", madeSegments(3, 1, 9));
  site.addFile("b.vmdk", madeSegments(3, 3000, 11));  // shares some with a
}

// Rewrites some of it, so that the second run merges with recipes.
void overwrite(DedupSite& site) {
  for (auto& [fileid, file] : site.files) {
    site.write(file, 20 * blockBytes, test::madeBlocks({40001, 40002, 0, 40004}));
    site.write(file, segmentBytes, madeSegments(1, 50000 + fileid));
  }
}

// Empty when all is well.
std::string recoverAndCheck(DedupSite& site, SimFileSystem::Keep keep, std::mt19937_64& random) {
  site.fileSystem.crash(keep, random);
  site.recipes.failCommitsFrom(std::nullopt);
  if (auto wrong = site.wrongFile(); !wrong.empty()) return "after the crash: " + wrong;
  RecordingMonitor monitor;
  if (auto outcome = site.optimize(monitor); !outcome) return "next run: " + outcome.error().message;
  if (site.landedBytes() != 0) return "next run left landing data";
  if (auto wrong = site.wrongFile(); !wrong.empty()) return "after the next run: " + wrong;
  return {};
}

}  // namespace

class OptimizerCrashTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void atEveryChangeOfTheDisk() {
    std::mt19937_64 random(5);
    bool reachedEnd = false;
    for (uint64_t step = 1; !reachedEnd; ++step)
      for (const auto keep : {SimFileSystem::Keep::Nothing, SimFileSystem::Keep::RandomBlocks}) {
        DedupSite site;
        fill(site);
        RecordingMonitor monitor;
        site.fileSystem.failFrom(step);
        reachedEnd = site.optimize(monitor).has_value();
        const std::string wrong = recoverAndCheck(site, keep, random);
        QVERIFY2(wrong.empty(), qPrintable(QString::number(step) + QLatin1String(": ") + QString::fromStdString(wrong)));
      }
  }

  void atEveryChangeOfASecondRun() {
    std::mt19937_64 random(6);
    bool reachedEnd = false;
    for (uint64_t step = 1; !reachedEnd; ++step) {
      DedupSite site;
      fill(site);
      RecordingMonitor monitor;
      QVERIFY(site.optimize(monitor).has_value());
      overwrite(site);
      site.fileSystem.failFrom(step);
      reachedEnd = site.optimize(monitor).has_value();
      const std::string wrong = recoverAndCheck(site, SimFileSystem::Keep::RandomBlocks, random);
      QVERIFY2(wrong.empty(), qPrintable(QString::number(step) + QLatin1String(": ") + QString::fromStdString(wrong)));
    }
  }

  void atEveryTransaction() {
    std::mt19937_64 random(7);
    bool reachedEnd = false;
    for (uint64_t commit = 1; !reachedEnd; ++commit) {
      DedupSite site;
      fill(site);
      RecordingMonitor monitor;
      site.recipes.failCommitsFrom(commit);
      reachedEnd = site.optimize(monitor).has_value();
      const std::string wrong = recoverAndCheck(site, SimFileSystem::Keep::Nothing, random);
      QVERIFY2(wrong.empty(), qPrintable(QString::number(commit) + QLatin1String(": ") + QString::fromStdString(wrong)));
    }
  }
};

QTEST_GUILESS_MAIN(OptimizerCrashTest)
#include "optimizer_crash_test.moc"
