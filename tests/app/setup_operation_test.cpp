// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/setup_operation.h"

#include <QTemporaryDir>
#include <QtTest>

#include "app/operations/operation_runner.h"
#include "app/settings/settings.h"
#include "tests/support/fake_engine.h"
#include "tests/support/fake_engine_process.h"

using namespace quarry;
using State = OperationRunner::State;

namespace {

struct Site {
  QTemporaryDir folder;
  Settings settings{folder.path()};
  test::FakeEngine engine;
  test::FakeEngineProcess process;
  Result<QString> probed = QStringLiteral("NFS answers.");
  QString probedHost;
  SetupRequest request;

  Site() {
    engine.engineStatus.nfsAddress = "0.0.0.0";
    engine.engineStatus.nfsPort = 2049;
    engine.setConnection(EngineApi::Connection::Lost);
    QObject::connect(&process, &EngineProcess::ready, &engine, [this] { engine.setConnection(EngineApi::Connection::Connected); });
    request.engine.storePath = QStringLiteral("/srv/vms");
    request.vstorage.emplace();
    request.vstorage->name = "lab1";
    request.vstorage->clients = {"10.0.0.0/24"};
    request.policy.minAgeSeconds = 7200;
  }

  std::unique_ptr<OperationRunner> run() {
    const auto probe = [this](const QString& host, int) {
      probedHost = host;
      return QtFuture::makeReadyFuture(probed);
    };
    auto runner = std::make_unique<OperationRunner>(std::make_unique<SetupOperation>(SetupOperation::Parts{engine, process, settings, probe}, request));
    runner->start();
    return runner;
  }
};

}  // namespace

class SetupOperationTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void setsUpFromNothing() {
    Site site;
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Succeeded);
    QCOMPARE(site.process.startedWith.storePath, QStringLiteral("/srv/vms"));
    QCOMPARE(site.engine.vstorages.size(), size_t{1});
    QCOMPARE(site.engine.vstorages[0].policy.minAgeSeconds, uint64_t{7200});
    QCOMPARE(site.probedHost, QStringLiteral("127.0.0.1"));
    QCOMPARE(site.settings.text(Setting::StorePath), QStringLiteral("/srv/vms"));
    QCOMPARE(runner->report().lines.size(), 5);
  }

  void theCacheGetsItsSize() {
    Site site;
    site.engine.cache.budgetBytes = 4096;
    site.engine.cache.budgetBytesMax = 65'536;
    site.request.cacheBytes = 8192;
    site.request.vstorage->writeMode = protocol::WriteMode::Ram;
    const QString preview = SetupOperation({site.engine, site.process, site.settings, {}}, site.request).preview().join(u'\n');
    QVERIFY2(preview.contains(QStringLiteral("8 KiB")) && preview.contains(QStringLiteral("up to 10 s of writes are lost")), qPrintable(preview));
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Succeeded);
    QCOMPARE(site.engine.cache.budgetBytes, uint64_t{8192});
    QCOMPARE(site.engine.vstorages[0].writeMode, protocol::WriteMode::Ram);
  }

  void aSizeThatIsRefusedStopsTheSetup() {
    Site site;
    site.request.cacheBytes = 8192;  // of a machine that has nothing
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QVERIFY(site.engine.vstorages.empty());
    QCOMPARE(site.process.stopCount, 1);
  }

  void theFormerSizeComesBack() {
    Site site;
    site.engine.cache.budgetBytes = 4096;
    site.engine.cache.budgetBytesMax = 65'536;
    site.request.cacheBytes = 8192;
    site.probed = fail(ErrorCode::Timeout, "no answer");
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QCOMPARE(site.engine.calls().count(QStringLiteral("cache.size")), 2);
    QCOMPARE(site.engine.cache.budgetBytes, uint64_t{4096});
  }

  void attachesToARunningEngine() {
    Site site;
    site.engine.setConnection(EngineApi::Connection::Connected);
    site.request.attach = true;
    site.request.engine.controlSocket = QStringLiteral("/run/other.sock");
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Succeeded);
    QCOMPARE(site.process.startCount, 0);
    QVERIFY(site.settings.text(Setting::StorePath).isEmpty());
    QCOMPARE(site.settings.text(Setting::EngineTarget), QStringLiteral("/run/other.sock"));
  }

  void refusedStoreStopsAtTheFirstStep() {
    Site site;
    site.process.startFailure = Error{ErrorCode::Locked, "store /srv/vms is in use"};
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QVERIFY(runner->report().lines[0].text.contains(QStringLiteral("in use")));
    QVERIFY(site.engine.vstorages.empty());
    QCOMPARE(site.process.stopCount, 0);
  }

  void aFailedStartIsNoWrongFieldOfTheConsole() {
    Site site;
    site.process.startFailure = Error{ErrorCode::InvalidArgument, "port 2049 is in use"};
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QCOMPARE(runner->report().lines[0].text, QStringLiteral("The engine could not be started: port 2049 is in use."));
  }

  void whatIsThereIsUsed() {
    Site site;
    site.request.vstorage.reset();
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Succeeded);
    QVERIFY(site.engine.vstorages.empty());
    QVERIFY(!site.engine.calls().contains(QStringLiteral("policy.set")));
    QCOMPARE(site.settings.text(Setting::StorePath), QStringLiteral("/srv/vms"));
  }

  void theFormerEngineIsStartedAgainAfterAFailure() {
    Site site;
    site.process.start({.storePath = QStringLiteral("/srv/former"), .controlSocket = {}});
    QTRY_COMPARE(site.process.state(), EngineProcess::State::Running);
    site.request.stopFirst = true;
    site.probed = fail(ErrorCode::Timeout, "no answer");
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QVERIFY(runner->report().lines[0].state == StepState::Undone);
    QCOMPARE(site.process.startedWith.storePath, QStringLiteral("/srv/former"));
    QCOMPARE(site.process.state(), EngineProcess::State::Running);
  }

  void existingNameStopsTheEngineAgain() {
    Site site;
    protocol::VstorageInfo existing;
    existing.name = "lab1";
    site.engine.vstorages.push_back(existing);
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QCOMPARE(site.process.stopCount, 1);
    QCOMPARE(site.engine.vstorages.size(), size_t{1});
    QVERIFY(site.settings.text(Setting::StorePath).isEmpty());
  }

  void notServingTakesTheVstorageBack() {
    Site site;
    site.probed = fail(ErrorCode::Timeout, "127.0.0.1:2049 does not answer NFS calls");
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QVERIFY(site.engine.vstorages.empty());
    QCOMPARE(site.process.stopCount, 1);
    QVERIFY(runner->report().lines[3].state == StepState::Failed);
    QVERIFY(runner->report().lines[1].state == StepState::Undone);
    QVERIFY(runner->report().lines[4].state == StepState::Skipped);
  }

  void readOnlyStoreIsNotServing() {
    Site site;
    site.engine.engineStatus.state = protocol::StoreState::ReadOnly;
    site.engine.engineStatus.reason = "a sync failed";
    const auto runner = site.run();
    QTRY_COMPARE(runner->state(), State::Failed);
    QVERIFY(runner->report().lines[3].text.contains(QStringLiteral("A sync failed")));
  }

  void previewSaysWhatHappens() {
    Site site;
    const SetupOperation operation({site.engine, site.process, site.settings, {}}, site.request);
    const QString preview = operation.preview().join(QLatin1Char('\n'));
    for (const char* part : {"/srv/vms", "lab1", "10.0.0.0/24", "2 h", "2049"}) QVERIFY2(preview.contains(QLatin1String(part)), part);
    QCOMPARE(site.process.startCount, 0);
    QVERIFY(site.engine.calls().isEmpty());
  }
};

QTEST_GUILESS_MAIN(SetupOperationTest)
#include "setup_operation_test.moc"
