// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/engine_process.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "tests/support/script_engine.h"

using namespace quarry;
using State = EngineProcess::State;

namespace {

constexpr EngineProcess::Timing quick{.startMax = std::chrono::milliseconds(20'000),
                                      .terminateMax = std::chrono::milliseconds(200),
                                      .quickCrash = std::chrono::milliseconds(30'000),
                                      .backOffMin = std::chrono::milliseconds(5),
                                      .backOffMax = std::chrono::milliseconds(20),
                                      .checkMax = std::chrono::milliseconds(20'000)};

struct Bench {
  QTemporaryDir folder;
  QString runs = folder.filePath(QStringLiteral("runs"));
  EngineProcess process;

  explicit Bench(const QByteArray& script)
      : process(test::writeScript(folder.filePath(QStringLiteral("engine")), "echo \"$@\" >> " + runs.toUtf8() + "\n" + script)) {
    process.setTiming(quick);
  }
  Reply<EngineReady> start() {
    return process.start({.storePath = QStringLiteral("/srv/vms"),
                          .controlSocket = QStringLiteral("/run/q.sock"),
                          .listenAddress = QStringLiteral("127.0.0.1"),
                          .nfsPort = 2049});
  }
  QStringList runLines() const {
    QFile file(runs);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts) : QStringList();
  }
};

}  // namespace

class EngineProcessTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void readyLines() {
    const auto ready = parseReadyLine(QStringLiteral("ready nfs=0.0.0.0:2049 control=/run/with space/q.sock"));
    QVERIFY(ready.has_value());
    QCOMPARE(ready->nfsAddress, QStringLiteral("0.0.0.0"));
    QCOMPARE(ready->nfsPort, 2049);
    QCOMPARE(ready->controlSocket, QStringLiteral("/run/with space/q.sock"));
    QCOMPARE(parseReadyLine(QStringLiteral("ready nfs=[::1]:2049 control=/s"))->nfsAddress, QStringLiteral("::1"));
    for (const char* line : {"", "ready", "ready nfs=a control=b", "ready nfs=a:99999 control=b", "not ready nfs=a:1 control=b", "ready nfs=a:1 control="})
      QVERIFY2(!parseReadyLine(QString::fromLatin1(line)), line);
  }

  void startsWithItsArgumentsAndStops() {
    Bench bench("echo noise; ready /run/q.sock; trap 'exit 0' TERM; while :; do sleep 0.05; done");
    QSignalSpy readies(&bench.process, &EngineProcess::ready);
    const auto reply = bench.start();
    QCOMPARE(bench.process.state(), State::Starting);
    QTRY_COMPARE(bench.process.state(), State::Running);
    QVERIFY(reply.isFinished());
    QCOMPARE(reply.result().value().controlSocket, QStringLiteral("/run/q.sock"));
    QCOMPARE(readies.count(), 1);
    QCOMPARE(bench.runLines(), QStringList{QStringLiteral("--store /srv/vms --control /run/q.sock --listen 127.0.0.1 --nfs-port 2049")});
    QCOMPARE(bench.start().result().error().code, ErrorCode::Busy);
    bench.process.stop();
    QTRY_COMPARE(bench.process.state(), State::Stopped);
    QCOMPARE(bench.runLines().size(), 1);
  }

  void deafEngineIsKilled() {
    Bench bench("trap '' TERM; ready /run/q.sock; while :; do sleep 0.05; done");
    bench.start();
    QTRY_COMPARE(bench.process.state(), State::Running);
    bench.process.stop();
    QCOMPARE(bench.process.state(), State::Stopping);
    QTRY_COMPARE(bench.process.state(), State::Stopped);
  }

  void refusalCarriesTheLastWords() {
    Bench bench("echo 'first line' >&2; echo 'quarryd: store /srv/vms is in use' >&2; exit 1");
    const auto reply = bench.start();
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(QString::fromStdString(reply.result().error().message), QStringLiteral("store /srv/vms is in use"));
    QCOMPARE(bench.process.state(), State::Failed);
    QCOMPARE(bench.process.reason(), QStringLiteral("store /srv/vms is in use"));
    QCOMPARE(bench.runLines().size(), 1);
  }

  void crashIsRestarted() {
    Bench bench("ready /run/q.sock; if [ $(wc -l < " + QByteArray("\"$(dirname \"$0\")/runs\"") + ") -lt 3 ]; then kill -9 $$; fi; sleep 30");
    QSignalSpy readies(&bench.process, &EngineProcess::ready);
    bench.start();
    QTRY_COMPARE(readies.count(), 3);
    QTRY_COMPARE(bench.process.state(), State::Running);
    QCOMPARE(bench.runLines().size(), 3);
    bench.process.stop();
    QTRY_COMPARE(bench.process.state(), State::Stopped);
  }

  void givesUpAfterQuickCrashes() {
    Bench bench("ready /run/q.sock; echo 'quarryd: out of luck' >&2; sleep 0.05; exit 3");
    bench.start();
    QTRY_COMPARE(bench.process.state(), State::Failed);
    QCOMPARE(bench.runLines().size(), EngineProcess::quickCrashesMax);
    QVERIFY2(bench.process.reason().contains(QStringLiteral("out of luck")), qPrintable(bench.process.reason()));
    QVERIFY(bench.process.reason().contains(QStringLiteral("5 times")));
  }

  void stoppedBySomeoneElseStaysStopped() {
    Bench bench("ready /run/q.sock; sleep 0.05; exit 0");
    bench.start();
    QTRY_COMPARE(bench.process.state(), State::Stopped);
    QTest::qWait(100);
    QCOMPARE(bench.runLines().size(), 1);
  }

  void slowStartFails() {
    Bench bench("sleep 30");
    EngineProcess::Timing impatient = quick;
    impatient.startMax = std::chrono::milliseconds(50);
    bench.process.setTiming(impatient);
    const auto reply = bench.start();
    QTRY_VERIFY(reply.isFinished());
    QVERIFY(QString::fromStdString(reply.result().error().message).contains(QStringLiteral("did not serve")));
    QCOMPARE(bench.process.state(), State::Failed);
  }

  void missingProgramIsSaid() {
    EngineProcess process(QStringLiteral("/nonexistent/quarryd"));
    const auto reply = process.start({.storePath = QStringLiteral("/srv/vms"), .controlSocket = QStringLiteral("/run/q.sock")});
    QTRY_VERIFY(reply.isFinished());
    QCOMPARE(reply.result().error().code, ErrorCode::NotFound);
    QVERIFY(process.reason().contains(QStringLiteral("/nonexistent/quarryd")));
  }

  void stopWhileWaitingToRestart() {
    Bench bench("ready /run/q.sock; sleep 0.05; exit 3");
    EngineProcess::Timing patient = quick;
    patient.backOffMin = patient.backOffMax = std::chrono::milliseconds(20'000);
    bench.process.setTiming(patient);
    bench.start();
    QTRY_COMPARE(bench.process.state(), State::Restarting);
    bench.process.stop();
    QCOMPARE(bench.process.state(), State::Stopped);
  }

  void canBeLeftRunning() {
    QTemporaryDir folder;
    const QString pidFile = folder.filePath(QStringLiteral("pid"));
    {
      EngineProcess process(test::writeScript(folder.filePath(QStringLiteral("engine")), "echo $$ > " + pidFile.toUtf8() + "; ready /run/q.sock; sleep 30"));
      process.start({.storePath = QStringLiteral("/srv/vms"), .controlSocket = QStringLiteral("/run/q.sock")});
      QTRY_COMPARE(process.state(), State::Running);
      process.leaveRunning();
    }
    QFile file(pidFile);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const pid_t pid = file.readAll().trimmed().toInt();
    QVERIFY(pid > 0);
    QCOMPARE(::kill(pid, 0), 0);
    QCOMPARE(::kill(-pid, SIGKILL), 0);
  }

  // However long each of them took.
  void restartsThatNeverServeCountTowardsGivingUp() {
    Bench bench("[ $(wc -l < \"$(dirname \"$0\")/runs\") = 1 ] && echo 'ready nfs=127.0.0.1:2049 control=/run/q.sock'\nexit 3\n");
    EngineProcess::Timing timing = quick;
    timing.quickCrash = std::chrono::milliseconds(0);
    bench.process.setTiming(timing);
    bench.start();
    QTRY_COMPARE(bench.process.state(), State::Failed);
    QCOMPARE(bench.runLines().size(), EngineProcess::quickCrashesMax);
  }
};

QTEST_GUILESS_MAIN(EngineProcessTest)
#include "engine_process_test.moc"
