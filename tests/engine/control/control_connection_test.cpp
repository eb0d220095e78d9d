// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_connection.h"

#include <QTemporaryDir>
#include <QTest>

#include "engine/control/control_server.h"
#include "tests/support/fake_control_api.h"
#include "tests/support/line_client.h"

using namespace quarry;
using namespace std::chrono_literals;

class ControlConnectionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    ControlLimits limits;
    limits.requestsMax = 4;
    limits.requestBytesMax = 4096;
    limits.sendBytesMax = 256 * 1024;
    m_server = std::make_unique<ControlServer>(m_api, limits);
    QVERIFY(m_server->start(m_path).has_value());
  }

  void helloComesFirst() {
    LineClient client(m_path);
    const auto hello = protocol::decodeLine(client.readLine());
    QVERIFY(hello.has_value());
    QCOMPARE(hello->method, std::string("hello"));
    QCOMPARE(protocol::fromJson<protocol::Hello>(hello->params)->protocolMajor, 1);
  }

  void requestIsAnswered() {
    LineClient client(m_path);
    client.readLine();
    client.send(protocol::encodeRequest(5, "status.show", "null"));
    const auto reply = protocol::decodeLine(client.readLine());
    QCOMPARE(reply->id, std::optional<int64_t>(5));
    QCOMPARE(protocol::fromJson<protocol::EngineStatus>(reply->params)->nfsPort, 2049);
  }

  void faultsHaveTheirNumbers_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("not JSON") << QByteArray("hello") << QByteArray("\"code\":-32700");
    QTest::newRow("not a request") << QByteArray("[]") << QByteArray("\"code\":-32600");
    QTest::newRow("a reply") << QByteArray(R"({"jsonrpc":"2.0","id":3,"result":1})") << QByteArray("\"code\":-32600");
    QTest::newRow("no such method") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"a.b"})") << QByteArray("\"code\":-32601");
    QTest::newRow("params") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"job.show","params":{"id":""}})") << QByteArray("\"code\":-32602");
    QTest::newRow("subscribe params") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"stats.subscribe","params":{"prefixes":1}})")
                                      << QByteArray("\"code\":-32602");
    QTest::newRow("engine") << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"job.show","params":{"id":77}})") << QByteArray("\"error\":\"not-found\"");
  }

  void faultsHaveTheirNumbers() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, wanted);
    LineClient client(m_path);
    client.readLine();
    client.send(line.toStdString() + "\n" + protocol::encodeRequest(9, "vstorage.list", "null"));
    const std::string refusal = client.readLine();
    QVERIFY2(refusal.find(wanted.toStdString()) != std::string::npos, refusal.c_str());
    QCOMPARE(protocol::decodeLine(client.readLine())->id, std::optional<int64_t>(9));
  }

  void notificationsFromThePeerAreIgnored() {
    LineClient client(m_path);
    client.readLine();
    client.send(protocol::encodeNotification("status.show", "null") + protocol::encodeRequest(1, "vstorage.list", "null"));
    QCOMPARE(protocol::decodeLine(client.readLine())->id, std::optional<int64_t>(1));
  }

  void slowRequestDelaysNoOther() {
    m_api.delayStatus(200ms);
    LineClient client(m_path);
    client.readLine();
    client.send(protocol::encodeRequest(1, "status.show", "null") + protocol::encodeRequest(2, "vstorage.list", "null"));
    QCOMPARE(protocol::decodeLine(client.readLine())->id, std::optional<int64_t>(2));
    QCOMPARE(protocol::decodeLine(client.readLine())->id, std::optional<int64_t>(1));
    m_api.delayStatus(0ms);
  }

  void tooManyRequestsAreBusy() {
    m_api.delayStatus(200ms);
    LineClient client(m_path);
    client.readLine();
    for (int64_t id = 1; id <= 6; ++id) client.send(protocol::encodeRequest(id, "status.show", "null"));
    int busyCount = 0;
    for (int i = 0; i < 6; ++i) {
      const auto reply = protocol::decodeLine(client.readLine());
      QVERIFY(reply.has_value());
      busyCount += reply->error && reply->error->code == ErrorCode::Busy ? 1 : 0;
    }
    QCOMPARE(busyCount, 2);
    m_api.delayStatus(0ms);
  }

  void overlongRequestEndsTheConnection() {
    LineClient client(m_path);
    client.readLine();
    client.send(std::string(5000, 'a'));
    QVERIFY(client.readLine().find("-32700") != std::string::npos);
    QVERIFY(client.readLine().empty());
  }

  void halfClosedPeerGetsItsAnswers() {
    m_api.delayStatus(50ms);
    LineClient client(m_path);
    client.readLine();
    client.send(protocol::encodeRequest(1, "status.show", "null"));
    client.endSending();
    QCOMPARE(protocol::decodeLine(client.readLine())->id, std::optional<int64_t>(1));
    QVERIFY(client.readLine().empty());
    m_api.delayStatus(0ms);
  }

  void peerThatDoesNotReadIsDropped() {
    LineClient lazy(m_path);
    LineClient other(m_path);
    other.readLine();
    const std::string params = "{\"text\":\"" + std::string(64 * 1024, 'x') + "\"}";
    for (int i = 0; i < 40; ++i) {
      m_server->publish("event.added", params);
      QCOMPARE(protocol::decodeLine(other.readLine())->method, std::string("event.added"));
    }
    int received = 0;
    while (!lazy.readLine().empty()) ++received;
    QVERIFY2(received < 20, qPrintable(QString::number(received)));
  }

  void peersThatLeaveAreForgotten() {
    for (int i = 0; i < 200; ++i) {
      LineClient client(m_path);
      client.send(protocol::encodeRequest(1, "status.show", "null"));
    }
    LineClient client(m_path);
    QVERIFY(!client.readLine().empty());
  }

  void cleanupTestCase() { m_server.reset(); }

 private:
  QTemporaryDir m_folder;
  const std::string m_path = m_folder.path().toStdString() + "/control.sock";
  FakeControlApi m_api;
  std::unique_ptr<ControlServer> m_server;
};

QTEST_GUILESS_MAIN(ControlConnectionTest)
#include "control_connection_test.moc"
