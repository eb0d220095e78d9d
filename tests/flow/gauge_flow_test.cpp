// SPDX-License-Identifier: GPL-3.0-or-later
// "Follow a gauge" of the README: a client's I/O is counted in the engine, sampled, sent over the local socket, decoded by the console's
// EngineClient and kept in its StatHistory.
#include <QSignalSpy>
#include <QTest>
#include <QtTest/QtTest>
#include <cmath>

#include "app/client/engine_client.h"
#include "app/models/stat_history.h"
#include "tests/support/engine_site.h"

using namespace quarry;
using namespace quarry::test;

class GaugeFlowTest : public QObject {
  Q_OBJECT

  EngineSite m_site;

 private Q_SLOTS:
  void initTestCase() {
    QCOMPARE(m_site.error, std::string());
    QVERIFY(m_site.request("vstorage.create", R"({"name":"alpha"})"));
  }

  void aWriteShowsInTheConsolesHistory() {
    EngineClient console;
    console.connectTo(QString::fromStdString(m_site.controlSocket), QStringLiteral("this machine"));
    QTRY_COMPARE(console.connection(), EngineApi::Connection::Connected);
    StatHistory history;
    connect(&console, &EngineApi::statSample, &history, &StatHistory::append);
    console.subscribeStats({QStringLiteral("engine/")});
    const auto written = [&history] {
      double sum = 0;
      for (const double rate : history.values(QStringLiteral("engine/write/bytes"), StatHistory::Span::FiveMinutes).values) sum += std::isnan(rate) ? 0 : rate;
      return sum;
    };

    NfsClient client(m_site.nfsPort());
    const std::string file = client.makeFile(client.mountRoot("/alpha"), "disk.img");
    QVERIFY(client.write(file, 0, std::string(65536, 'w')).is(nfs::Nfsstat3::Ok));
    QTRY_VERIFY_WITH_TIMEOUT(written() > 1000, 8000);  // a rate: 64 KiB over the second or two that the sample covered
  }
};

QTEST_GUILESS_MAIN(GaugeFlowTest)
#include "gauge_flow_test.moc"
