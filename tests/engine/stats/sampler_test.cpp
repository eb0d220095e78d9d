// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/sampler.h"

#include <QTest>
#include <asio/io_context.hpp>
#include <cmath>

#include "engine/base/spawn.h"
#include "engine/stats/io_stats.h"
#include "tests/support/manual_clock.h"

using namespace quarry;
using namespace std::chrono_literals;

class SamplerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void ratesUseTheTimeThatPassed() {
    Setup s;
    for (int i = 0; i < 30; ++i) s.stats.recordRead(4096, 1000);
    s.clock.advance(3s);
    s.sampler.tick();
    QCOMPARE(s.sampler.latestValue("engine/read/iops"), 10.0);
    s.clock.jumpWall(-100s);
    s.stats.recordRead(4096, 1000);
    s.clock.advance(1s);
    s.sampler.tick();
    QCOMPARE(s.sampler.latestValue("engine/read/iops"), 1.0);
  }

  void listenerGetsEachSample() {
    Setup s;
    s.clock.advance(1s);
    s.sampler.tick();
    QCOMPARE(s.seen.size(), size_t{1});
    QCOMPARE(s.seen[0].unixMs, s.clock.now().unixNs / 1000000);
    QCOMPARE(s.seen[0].values.size(), size_t{22});
  }

  void latestByPrefix() {
    Setup s;
    s.clock.advance(1s);
    s.sampler.tick();
    QCOMPARE(s.sampler.latest({}).values.size(), size_t{22});
    QCOMPARE(s.sampler.latest({"vm/"}).values.size(), size_t{11});
    QCOMPARE(s.sampler.latest({"vm/main/a/read/iops", "engine/read/"}).values.size(), size_t{7});
    QVERIFY(s.sampler.latest({"x"}).values.empty());
    QVERIFY(std::isnan(s.sampler.latestValue("x")));
  }

  void historyOfEngineButNotOfVms() {
    Setup s;
    for (int second = 0; second < 10; ++second) {
      for (int i = 0; i < second; ++i) s.stats.recordRead(1, 1);
      s.clock.advance(1s);
      s.sampler.tick();
    }
    const auto series = s.sampler.history({.ids = {"engine/read/iops", "vm/main/a/read/iops"}, .spanSeconds = 300});
    QVERIFY(series.has_value() && series->size() == 2);
    const auto& values = (*series)[0].values;
    QVERIFY(values[299] == 9 && values[298] == 8 && values[290] == 0 && std::isnan(values[289]));
    QVERIFY(std::isnan((*series)[1].values[299]));
    QVERIFY(!s.sampler.history({.ids = {"engine/read/iops"}, .spanSeconds = 5}).has_value());
    QVERIFY(!s.sampler.history({.ids = std::vector<std::string>(257, "a"), .spanSeconds = 300}).has_value());
  }

  void historySurvivesARestart() {
    Setup s;
    s.stats.recordRead(1, 1);
    s.clock.advance(1s);
    s.sampler.tick();
    Setup next;
    next.clock.advance(60s);
    QVERIFY(next.sampler.importHistory(s.sampler.exportHistory()).has_value());
    const auto series = next.sampler.history({.ids = {"engine/read/iops"}, .spanSeconds = 300});
    QVERIFY(series.has_value());
    QCOMPARE(series->at(0).values[240], 1.0);
  }

  void runTicksUntilStopped() {
    Setup s;
    asio::io_context context;
    spawn(context, s.sampler.run());
    while (s.seen.empty()) QVERIFY(context.run_one() > 0);
    s.sampler.stop();
    context.run();  // ends: nothing is left to wait for
    QCOMPARE(s.seen.size(), size_t{1});
  }

 private:
  struct Setup {
    ManualClock clock;
    StatRegistry registry;
    IoStats stats;
    IoStats vmStats;
    StatRegistration registration = registry.add(stats.declare("engine"));
    StatRegistration vmRegistration = registry.add(vmStats.declare("vm/main/a"));
    std::vector<protocol::StatSample> seen;
    Sampler sampler{registry, clock, [this](const protocol::StatSample& sample) { seen.push_back(sample); }};
  };
};

QTEST_GUILESS_MAIN(SamplerTest)
#include "sampler_test.moc"
