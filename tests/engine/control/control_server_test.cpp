// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_server.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/fake_control_api.h"
#include "tests/support/line_client.h"

using namespace quarry;
using namespace std::chrono_literals;

class ControlServerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void notificationsGoToAll() {
    Setup s;
    LineClient first(s.path), second(s.path);
    first.readLine();
    second.readLine();
    s.server.publish("job.changed", protocol::toJson(protocol::JobInfo{}));
    for (LineClient* client : {&first, &second}) {
      const auto message = protocol::decodeLine(client->readLine());
      QVERIFY(message.has_value() && !message->id);
      QCOMPARE(message->method, std::string("job.changed"));
    }
  }

  void samplesGoToSubscribersByPrefix() {
    Setup s;
    LineClient engine(s.path), none(s.path);
    engine.readLine();
    none.readLine();
    subscribe(engine, {"engine/"});
    const protocol::StatSample sample{.unixMs = 5, .values = {{"engine/read/iops", 1}, {"vm/a/b/read/iops", 2}}};
    s.server.publishSample(sample);
    const auto message = protocol::decodeLine(engine.readLine());
    QCOMPARE(message->method, std::string("stats.sample"));
    const auto got = protocol::fromJson<protocol::StatSample>(message->params);
    QVERIFY(got->values == (std::map<std::string, double>{{"engine/read/iops", 1}}));

    subscribe(engine, {});
    s.server.publishSample(sample);
    s.server.publish("vstorage.changed", "null");
    QCOMPARE(protocol::decodeLine(engine.readLine())->method, std::string("vstorage.changed"));
    QCOMPARE(protocol::decodeLine(none.readLine())->method, std::string("vstorage.changed"));
  }

  void secondServerIsRefused() {
    Setup s;
    ControlServer second(s.api);
    QVERIFY(second.start(s.path).error().code == ErrorCode::Locked);
    LineClient client(s.path);
    QVERIFY(!client.readLine().empty());
  }

  void stopWaitsForCallsUnderway() {
    auto s = std::make_unique<Setup>();
    s->api.delayStatus(100ms);
    LineClient client(s->path);
    client.readLine();
    client.send(protocol::encodeRequest(1, "status.show", "null"));
    QTest::qWait(20);
    s->server.stop();
    QVERIFY(!QFile::exists(QString::fromStdString(s->path)));
    s->server.publish("event.added", "null");
    s.reset();
    QVERIFY(client.readLine().empty());
  }

  void connectionsAreBounded() {
    Setup s;
    std::vector<std::unique_ptr<LineClient>> clients;
    for (int i = 0; i < 2; ++i) {
      clients.push_back(std::make_unique<LineClient>(s.path));
      QVERIFY(!clients.back()->readLine().empty());
    }
    LineClient tooMany(s.path);
    QVERIFY(tooMany.readLine().empty());
    clients.clear();
    QTRY_VERIFY(!LineClient(s.path).readLine().empty());
  }

 private:
  struct Setup {
    Setup() { started = server.start(path).has_value(); }
    static ControlLimits twoConnections() {
      ControlLimits limits;
      limits.connectionsMax = 2;
      return limits;
    }
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/control.sock";
    FakeControlApi api;
    ControlServer server{api, twoConnections()};
    bool started = false;
  };

  static void subscribe(LineClient& client, std::vector<std::string> prefixes) {
    client.send(protocol::encodeRequest(1, "stats.subscribe", protocol::toJson(protocol::StatSubscribe{std::move(prefixes)})));
    client.readLine();
  }
};

QTEST_GUILESS_MAIN(ControlServerTest)
#include "control_server_test.moc"
