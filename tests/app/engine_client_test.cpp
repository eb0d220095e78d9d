// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/engine_client.h"

#include <QLocalServer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/protocol/version.h"

using namespace quarry;
using Connection = EngineApi::Connection;

namespace {

// An engine of lines: greets as told and keeps every request until the test answers it.
class ScriptedEngine : public QObject {
 public:
  explicit ScriptedEngine(const QString& path) : m_path(path) {
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
      m_socket = m_server.nextPendingConnection();
      ++connectionCount;
      connect(m_socket, &QLocalSocket::readyRead, this, [this] { read(); });
      if (greet) send(protocol::encodeNotification("hello", protocol::toJson(hello)));
    });
  }

  bool listen() { return m_server.listen(m_path); }
  void close() {
    if (m_socket != nullptr) m_socket->abort();
    m_server.close();
    requests.clear();
  }
  void send(const std::string& line) {
    m_socket->write(line.data(), static_cast<qint64>(line.size()));
    m_socket->flush();
  }
  QStringList methods() const {
    QStringList names;
    for (const auto& request : requests) names << QString::fromStdString(request.method);
    return names;
  }

  protocol::Hello hello{protocol::versionMajor, protocol::versionMinor, "0.1.0"};
  bool greet = true;
  int connectionCount = 0;
  std::vector<protocol::RpcMessage> requests;

 private:
  void read() {
    while (m_socket->canReadLine()) {
      const QByteArray line = m_socket->readLine().trimmed();
      if (auto message = protocol::decodeLine({line.constData(), static_cast<size_t>(line.size())})) requests.push_back(*message);
    }
  }

  QString m_path;
  QLocalServer m_server;
  QLocalSocket* m_socket = nullptr;
};

constexpr EngineClient::Timing quick{.requestMax = std::chrono::milliseconds(30'000),
                                     .helloMax = std::chrono::milliseconds(2'000),
                                     .backOffMin = std::chrono::milliseconds(10),
                                     .backOffMax = std::chrono::milliseconds(40)};

struct Line {
  QTemporaryDir folder;
  QString path = folder.filePath(QStringLiteral("control.sock"));
  ScriptedEngine engine{path};
  EngineClient client;

  explicit Line(const EngineClient::Timing& timing = quick) { client.setTiming(timing); }
  void connectTo() { client.connectTo(path, QStringLiteral("this machine")); }
  bool connected() const { return client.connection() == Connection::Connected; }
};

template <class T>
Error errorOf(const Reply<T>& reply) {
  return reply.isFinished() && !reply.result() ? reply.result().error() : Error{ErrorCode::Internal, "no error"};
}

}  // namespace

class EngineClientTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void callsAndAnswers() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    QCOMPARE(line.client.connectionText(), QStringLiteral("this machine"));
    const auto status = line.client.status();
    const auto vms = line.client.listVms();
    QTRY_COMPARE(line.engine.requests.size(), size_t{2});
    QCOMPARE(line.engine.methods(), (QStringList{QStringLiteral("status.show"), QStringLiteral("vm.list")}));
    // Answers may come in any order.
    protocol::VmInfo vm;
    vm.name = "web01";
    line.engine.send(protocol::encodeResult(*line.engine.requests[1].id, protocol::toJson(std::vector{vm})));
    protocol::EngineStatus answer;
    answer.storePath = "/srv/vms";
    line.engine.send(protocol::encodeResult(*line.engine.requests[0].id, protocol::toJson(answer)));
    QTRY_VERIFY(status.isFinished() && vms.isFinished());
    QCOMPARE(status.result().value().storePath, std::string("/srv/vms"));
    QCOMPARE(vms.result().value().at(0).name, std::string("web01"));
  }

  void refusalsKeepTheirCode() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    const auto removed = line.client.removeVstorage({.name = "lab1", .force = false});
    QTRY_COMPARE(line.engine.requests.size(), size_t{1});
    line.engine.send(protocol::encodeError(line.engine.requests[0].id, {ErrorCode::NotEmpty, "lab1 holds 3 files"}));
    QTRY_VERIFY(removed.isFinished());
    QCOMPARE(errorOf(removed).code, ErrorCode::NotEmpty);
    QCOMPARE(errorOf(removed).message, std::string("lab1 holds 3 files"));
  }

  void emptyResultsAndParameters() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    const auto removed = line.client.removeVstorage({.name = "lab1", .force = true});
    line.client.showVm(QStringLiteral("lab1"), QStringLiteral("a \"b\" ü"));
    line.client.cancelJob(7);
    QTRY_COMPARE(line.engine.requests.size(), size_t{3});
    QCOMPARE(line.engine.requests[1].params, std::string("{\"name\":\"a \\\"b\\\" ü\",\"vstorage\":\"lab1\"}"));
    QCOMPARE(line.engine.requests[2].params, std::string("{\"id\":7}"));
    line.engine.send(protocol::encodeResult(*line.engine.requests[0].id, "null"));
    QTRY_VERIFY(removed.isFinished());
    QVERIFY(removed.result().has_value());
  }

  void cacheVerbs() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    const auto sized = line.client.setCacheSize(4096);
    const auto flushed = line.client.flushCache(QStringLiteral("lab1"));
    line.client.showCache();
    line.client.adviseCache();
    QTRY_COMPARE(line.engine.requests.size(), size_t{4});
    QCOMPARE(line.engine.methods(), (QStringList{QStringLiteral("cache.size"), QStringLiteral("cache.flush"), QStringLiteral("cache.show"),
                                                 QStringLiteral("cache.advice")}));
    QCOMPARE(line.engine.requests[0].params, std::string(R"({"bytes":4096})"));
    QCOMPARE(line.engine.requests[1].params, std::string(R"({"vstorage":"lab1"})"));
    protocol::CacheInfo info;
    info.budgetBytes = 4096;
    line.engine.send(protocol::encodeResult(*line.engine.requests[0].id, protocol::toJson(info)));
    line.engine.send(protocol::encodeResult(*line.engine.requests[1].id, protocol::toJson(protocol::CacheFlushed{.bytes = 7})));
    QTRY_VERIFY(sized.isFinished() && flushed.isFinished());
    QCOMPARE(sized.result().value().budgetBytes, uint64_t{4096});
    QCOMPARE(flushed.result().value().bytes, uint64_t{7});
    QSignalSpy changed(&line.client, &EngineApi::cacheChanged);
    line.engine.send(protocol::encodeNotification("cache.changed", "null"));
    QTRY_COMPARE(changed.count(), 1);
  }

  // A disk may need longer for it than any request may take; what was asked after it still expires.
  void aFlushMayTakeLong() {
    EngineClient::Timing impatient = quick;
    impatient.requestMax = std::chrono::milliseconds(30);
    Line line(impatient);
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    const auto flushed = line.client.flushCache({});
    const auto status = line.client.status();
    QTRY_VERIFY(status.isFinished());
    QCOMPARE(errorOf(status).code, ErrorCode::Timeout);
    QVERIFY(!flushed.isFinished());
    QTRY_COMPARE(line.engine.requests.size(), size_t{2});
    line.engine.send(protocol::encodeResult(*line.engine.requests[0].id, R"({"bytes":9})"));
    QTRY_VERIFY(flushed.isFinished());
    QCOMPARE(flushed.result().value().bytes, uint64_t{9});
  }

  void notificationsBecomeSignals() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    QSignalSpy samples(&line.client, &EngineApi::statSample), jobs(&line.client, &EngineApi::jobChanged);
    QSignalSpy events(&line.client, &EngineApi::eventAdded), vstorages(&line.client, &EngineApi::vstoragesChanged);
    line.engine.send(protocol::encodeNotification("stats.sample", protocol::toJson(protocol::StatSample{.unixMs = 5, .values = {{"a", 1.5}}})));
    line.engine.send(protocol::encodeNotification("job.changed", protocol::toJson(protocol::JobInfo{})));
    line.engine.send(protocol::encodeNotification("event.added", protocol::toJson(protocol::Event{})));
    line.engine.send(protocol::encodeNotification("from.the.future", "{}"));
    line.engine.send(protocol::encodeNotification("vstorage.changed", "{}"));
    QTRY_COMPARE(vstorages.count(), 1);
    QCOMPARE(samples.count(), 1);
    QCOMPARE(jobs.count(), 1);
    QCOMPARE(events.count(), 1);
    QVERIFY(line.connected());
  }

  void droppedConnectionSettlesEverythingAndComesBack() {
    Line line;
    QVERIFY(line.engine.listen());
    line.client.subscribeStats({QStringLiteral("vm/"), QStringLiteral("engine/"), QStringLiteral("vm/")});
    line.connectTo();
    QTRY_COMPARE(line.engine.methods(), QStringList{QStringLiteral("stats.subscribe")});
    QCOMPARE(line.engine.requests[0].params, std::string("{\"prefixes\":[\"engine/\",\"vm/\"]}"));
    const auto status = line.client.status();
    QTRY_COMPARE(line.engine.requests.size(), size_t{2});
    line.engine.close();
    QTRY_VERIFY(status.isFinished());
    QCOMPARE(errorOf(status).code, ErrorCode::Disconnected);
    QCOMPARE(line.client.connection(), Connection::Lost);
    QVERIFY(line.client.connectionText().startsWith(QStringLiteral("this machine: ")));
    const auto refused = line.client.listJobs();
    QVERIFY(refused.isFinished());
    QCOMPARE(errorOf(refused).code, ErrorCode::Disconnected);

    QTest::qWait(100);
    QVERIFY(line.engine.listen());
    QTRY_VERIFY(line.connected());
    QTRY_COMPARE(line.engine.methods(), QStringList{QStringLiteral("stats.subscribe")});
    QCOMPARE(line.engine.requests[0].params, std::string("{\"prefixes\":[\"engine/\",\"vm/\"]}"));
  }

  void silenceTimesOut() {
    Line line({.requestMax = std::chrono::milliseconds(50)});
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    const auto first = line.client.status();
    const auto second = line.client.listVms();
    QTRY_VERIFY(first.isFinished() && second.isFinished());
    QCOMPARE(errorOf(first).code, ErrorCode::Timeout);
    QVERIFY(line.connected());
    // The late answer belongs to nobody and harms nobody.
    line.engine.send(protocol::encodeResult(*line.engine.requests[0].id, "{}"));
    const auto third = line.client.listEvents();
    QTRY_COMPARE(line.engine.requests.size(), size_t{3});
    line.engine.send(protocol::encodeResult(*line.engine.requests[2].id, "[]"));
    QTRY_VERIFY(third.isFinished());
    QVERIFY(third.result().has_value());
  }

  void garbageDropsTheConnection() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    QSignalSpy changes(&line.client, &EngineApi::connectionChanged);
    const auto status = line.client.status();
    line.engine.send("this is no message\n");
    QTRY_VERIFY(status.isFinished());
    QCOMPARE(errorOf(status).code, ErrorCode::Disconnected);
    QTRY_COMPARE(line.engine.connectionCount, 2);
    QTRY_VERIFY(line.connected());
    QCOMPARE(changes.count(), 2);
  }

  void wrongResultIsAProtocolError() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    const auto vms = line.client.listVms();
    QTRY_COMPARE(line.engine.requests.size(), size_t{1});
    line.engine.send(protocol::encodeResult(*line.engine.requests[0].id, "42"));
    QTRY_VERIFY(vms.isFinished());
    QCOMPARE(errorOf(vms).code, ErrorCode::Protocol);
    QVERIFY(line.connected());
  }

  void otherMajorVersionIsIncompatible() {
    Line line;
    QVERIFY(line.engine.listen());
    line.engine.hello.protocolMajor = protocol::versionMajor + 1;
    line.connectTo();
    QTRY_COMPARE(line.client.connection(), Connection::Incompatible);
    QVERIFY(line.client.connectionText().contains(QStringLiteral("protocol %1.").arg(protocol::versionMajor + 1)));
    QCOMPARE(errorOf(line.client.status()).code, ErrorCode::Disconnected);
    // After an update it connects by itself.
    line.engine.hello.protocolMajor = protocol::versionMajor;
    QTRY_VERIFY(line.connected());
  }

  void aServerThatDoesNotGreetIsLeft() {
    Line line({.helloMax = std::chrono::milliseconds(30), .backOffMin = std::chrono::milliseconds(10), .backOffMax = std::chrono::milliseconds(10)});
    QVERIFY(line.engine.listen());
    line.engine.greet = false;
    line.connectTo();
    QTRY_COMPARE(line.client.connection(), Connection::Lost);
    line.engine.greet = true;
    QTRY_VERIFY(line.connected());
  }

  void splitLinesAreJoined() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    QSignalSpy vstorages(&line.client, &EngineApi::vstoragesChanged);
    const std::string message = protocol::encodeNotification("vstorage.changed", "{}");
    line.engine.send(message.substr(0, 10));
    QTest::qWait(20);
    line.engine.send(message.substr(10) + message);
    QTRY_COMPARE(vstorages.count(), 2);
  }

  void leavingStopsTheTries() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    const auto status = line.client.status();
    line.client.disconnectFromEngine();
    QVERIFY(status.isFinished());
    QTest::qWait(100);
    QCOMPARE(line.engine.connectionCount, 1);
    QCOMPARE(line.client.connection(), Connection::Lost);
  }

  void tooManyRequestsAreRefused() {
    Line line;
    QVERIFY(line.engine.listen());
    line.connectTo();
    QTRY_VERIFY(line.connected());
    for (size_t i = 0; i < EngineClient::pendingMax; ++i) line.client.status();
    QCOMPARE(errorOf(line.client.status()).code, ErrorCode::Busy);
  }

  void pendingSettlesWhenTheClientGoes() {
    Reply<protocol::EngineStatus> status;
    {
      Line line;
      QVERIFY(line.engine.listen());
      line.connectTo();
      QTRY_VERIFY(line.connected());
      status = line.client.status();
    }
    QVERIFY(status.isFinished());
    QCOMPARE(errorOf(status).code, ErrorCode::Disconnected);
  }
};

QTEST_GUILESS_MAIN(EngineClientTest)
#include "engine_client_test.moc"
