// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/local_engine.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <chrono>

#include "app/client/engine_client.h"
#include "app/settings/settings.h"
#include "engine/protocol/version.h"
#include "tests/support/fake_engine_process.h"

using namespace quarry;
using Connection = EngineApi::Connection;

namespace {

struct Machine {
  QTemporaryDir folder;
  QString socket = folder.filePath(QStringLiteral("control.sock"));
  Settings settings{folder.path()};
  test::FakeEngineProcess process;
  EngineClient client;
  LocalEngine local{client, process, settings};
  QLocalServer server;

  Machine() {
    process.readyWith.controlSocket = socket;
    QObject::connect(&server, &QLocalServer::newConnection, &server, [this] {
      const protocol::Hello hello{protocol::versionMajor, protocol::versionMinor, "0.1.0"};
      server.nextPendingConnection()->write(QByteArray::fromStdString(protocol::encodeNotification("hello", protocol::toJson(hello))));
    });
  }
};

}  // namespace

class LocalEngineTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void attachesToWhatRuns() {
    Machine machine;
    machine.settings.set(Setting::StorePath, QStringLiteral("/srv/vms"));
    QVERIFY(machine.server.listen(machine.socket));
    machine.local.begin(machine.socket);
    QTRY_COMPARE(machine.client.connection(), Connection::Connected);
    QCOMPARE(machine.process.startCount, 0);
  }

  void startsTheStoreOfTheSettings() {
    Machine machine;
    machine.settings.set(Setting::StorePath, QStringLiteral("/srv/vms"));
    machine.settings.set(Setting::NfsPort, 2050);
    QObject::connect(&machine.process, &EngineProcess::stateChanged, &machine.server, [&](EngineProcess::State state) {
      if (state == EngineProcess::State::Starting) machine.server.listen(machine.socket);
    });
    machine.local.begin(machine.socket);
    QTRY_COMPARE(machine.client.connection(), Connection::Connected);
    QCOMPARE(machine.process.startCount, 1);
    QCOMPARE(machine.process.startedWith.storePath, QStringLiteral("/srv/vms"));
    QCOMPARE(machine.process.startedWith.nfsPort, 2050);
    QCOMPARE(machine.process.startedWith.controlSocket, machine.socket);
  }

  void asksForTheSetupOtherwise() {
    Machine machine;
    QSignalSpy needed(&machine.local, &LocalEngine::setupNeeded);
    machine.local.begin(machine.socket);
    QTRY_COMPARE(needed.count(), 1);
    QCOMPARE(machine.process.startCount, 0);
  }

  void whatTheClientFoundItselfStays() {
    Machine machine;
    machine.settings.set(Setting::StorePath, QStringLiteral("/srv/vms"));
    QVERIFY(machine.server.listen(machine.socket));
    machine.local.begin(machine.socket);
    QTRY_COMPARE(machine.client.connection(), Connection::Connected);
    QSignalSpy changes(&machine.client, &EngineApi::connectionChanged);
    Q_EMIT machine.process.ready(machine.process.readyWith);
    QCOMPARE(changes.count(), 0);
    QCOMPARE(machine.client.connection(), Connection::Connected);
  }

  void retryReachesAnAttachedEngineAtOnce() {
    Machine machine;
    machine.settings.set(Setting::StorePath, QStringLiteral("/srv/vms"));
    machine.client.setTiming({.backOffMin = std::chrono::hours(1), .backOffMax = std::chrono::hours(1)});
    const QString other = machine.folder.filePath(QStringLiteral("other.sock"));
    machine.local.begin(machine.socket);
    machine.local.attach(other);
    QTRY_COMPARE(machine.client.connection(), Connection::Lost);
    Q_EMIT machine.process.ready(machine.process.readyWith);  // of an engine that was started before
    QCOMPARE(machine.client.socketPath(), other);
    const int started = machine.process.startCount;
    QVERIFY(machine.server.listen(other));
    machine.local.retry();
    QTRY_COMPARE(machine.client.connection(), Connection::Connected);
    QCOMPARE(machine.client.socketPath(), other);
    QCOMPARE(machine.process.startCount, started);
  }

  void lostIsSaidInOwnWords() {
    Machine machine;
    machine.local.attach(machine.socket);
    QTRY_COMPARE(machine.client.connection(), Connection::Lost);
    QVERIFY2(machine.client.connectionText().endsWith(QStringLiteral("no engine answers there")), qPrintable(machine.client.connectionText()));
  }

  void retryStartsAgainAfterAFailure() {
    Machine machine;
    machine.settings.set(Setting::StorePath, QStringLiteral("/srv/vms"));
    machine.process.startFailure = Error{ErrorCode::Locked, "in use"};
    machine.local.begin(machine.socket);
    QTRY_COMPARE(machine.process.state(), EngineProcess::State::Failed);
    machine.local.retry();
    QTRY_COMPARE(machine.process.startCount, 2);
  }
};

QTEST_GUILESS_MAIN(LocalEngineTest)
#include "local_engine_test.moc"
