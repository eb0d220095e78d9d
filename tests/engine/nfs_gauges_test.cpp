// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs_gauges.h"

#include <QTest>

#include "tests/support/nfs_fixture.h"

using namespace quarry;

class NfsGaugesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void showWhatTheServerCounts() {
    test::NfsFixture nfs;
    StatRegistry registry;
    const StatRegistration registration = declareNfs(registry, nfs.server);
    test::NfsClient first(nfs.port), second(nfs.port);
    QVERIFY(!first.mountRoot("/alpha").empty() && !second.mountRoot("/alpha").empty());
    const auto values = registry.sample(1);
    QCOMPARE(values.at("nfs/connections"), 2.0);
    QCOMPARE(values.at("nfs/evicted"), 0.0);
    QCOMPARE(values.at("nfs/retransmitted"), 0.0);
    QVERIFY(values.contains("nfs/running") && values.contains("nfs/held"));
  }
};

QTEST_GUILESS_MAIN(NfsGaugesTest)
#include "nfs_gauges_test.moc"
