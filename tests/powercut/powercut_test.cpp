// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated power cuts, as many as a test may take; the powercut tool does more of them.
#include <QtTest>

#include "tests/powercut/power_explorer.h"

using namespace quarry;
using namespace quarry::test;

class PowercutTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { setUpPowerCuts(); }

  void everyPlaceOfShortWorkloads() {
    PowerExplorer explorer({});
    for (const auto& words : allWorkloads(1)) {
      check(explorer.runWorkload(words, StartKind::Optimized, protocol::WriteMode::Safe));
      check(explorer.runWorkload(words, StartKind::Landed, protocol::WriteMode::Through));
    }
  }

  void randomRuns() {
    PowerExplorer explorer({});
    for (uint64_t seed = 1; seed <= 20; ++seed) check(explorer.runSeed(seed));
  }

 private:
  static void check(const Result<void>& done) { QVERIFY2(done.has_value(), done ? "" : done.error().message.c_str()); }
};

QTEST_GUILESS_MAIN(PowercutTest)
#include "powercut_test.moc"
