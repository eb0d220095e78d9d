// SPDX-License-Identifier: GPL-3.0-or-later
// The whole wizard against a real engine: it is started by EngineProcess in a temporary folder, and the vstorage that the wizard made is
// listed by it. QUARRYD names another engine than the one built here.
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include "app/client/console_context.h"
#include "app/client/engine_client.h"
#include "app/client/engine_process.h"
#include "app/models/cache_model.h"
#include "app/models/event_model.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "app/models/stat_history.h"
#include "app/models/stat_model.h"
#include "app/models/vm_model.h"
#include "app/models/vstorage_model.h"
#include "app/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/wizard/progress_step.h"
#include "ui/wizard/setup_wizard.h"
#include "ui/wizard/store_step.h"

using namespace quarry;

class SetupWizardEngineTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void setsUpARealEngine();
};

namespace {

constexpr int startMaxMs = 60'000;

int freePort() {
  QTcpServer server;
  return server.listen(QHostAddress::LocalHost) ? server.serverPort() : 0;
}

void type(QWidget& wizard, const QString& accessibleName, const QString& text) {
  for (QLineEdit* edit : wizard.findChildren<QLineEdit*>()) {
    if (edit->accessibleName() == accessibleName && edit->isVisible()) edit->setText(text);
  }
}

void setNumber(QWidget& wizard, const QString& accessibleName, int value) {
  for (QSpinBox* box : wizard.findChildren<QSpinBox*>()) {
    if (box->accessibleName() == accessibleName) box->setValue(value);
  }
}

}  // namespace

void SetupWizardEngineTest::setsUpARealEngine() {
  const QString program = qEnvironmentVariable("QUARRYD", QStringLiteral(QUARRYD_BUILT));
  QVERIFY2(QFile::exists(program), qPrintable(program));
  QTemporaryDir folder;
  QTemporaryDir runtime;
  qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
  Settings settings(folder.filePath(QStringLiteral("settings")));
  EngineProcess process(program);
  EngineClient engine;
  QObject::connect(&process, &EngineProcess::ready, &engine,
                   [&engine](const EngineReady& ready) { engine.connectTo(ready.controlSocket, QStringLiteral("this machine")); });
  StatHistory history;
  StatModel stats;
  VstorageModel vstorages;
  VmModel vms(history);
  JobModel jobs;
  EventModel events;
  CacheModel cache;
  ModelFeed feed(engine, {history, stats, vstorages, vms, jobs, events, cache});
  const ConsoleContext context{engine, process, settings, history, stats, vstorages, vms, jobs, events, cache, feed};
  Theme theme(*qApp);
  SetupWizard wizard(context);
  wizard.resize(1440, 900);
  wizard.show();

  const int port = freePort();
  setNumber(wizard, QStringLiteral("NFS port"), port);
  wizard.nextButton()->click();
  const QString store = folder.filePath(QStringLiteral("store"));
  QVERIFY(QDir().mkpath(store));
  wizard.storeStep()->setFolder(store);
  QTRY_VERIFY_WITH_TIMEOUT(wizard.nextButton()->isEnabled(), startMaxMs);
  wizard.nextButton()->click();
  type(wizard, QStringLiteral("Name"), QStringLiteral("vs-real"));
  type(wizard, QStringLiteral("Hosts that may mount it"), QStringLiteral("10.0.0.0/24"));
  for (int i = 0; i < 4; ++i) wizard.nextButton()->click();
  QCOMPARE(wizard.currentStep(), SetupWizard::Progress);
  QTRY_VERIFY_WITH_TIMEOUT(!wizard.progressStep()->isRunning(), startMaxMs);
  QVERIFY2(wizard.progressStep()->succeeded(), qPrintable(wizard.progressStep()->outcome()));

  feed.refresh();
  QTRY_VERIFY(vstorages.find(QStringLiteral("vs-real")) != nullptr);
  QCOMPARE(vstorages.find(QStringLiteral("vs-real"))->clients, std::vector<std::string>{"10.0.0.0/24"});
  QCOMPARE(vstorages.find(QStringLiteral("vs-real"))->policy.minAgeSeconds, uint64_t(3600));
  QTRY_VERIFY(feed.status().has_value());
  QCOMPARE(QString::fromStdString(feed.status()->storePath), store);
  QCOMPARE(feed.status()->nfsPort, port);
  QCOMPARE(settings.text(Setting::StorePath), store);
  process.stop();
  QTRY_COMPARE_WITH_TIMEOUT(process.state(), EngineProcess::State::Stopped, startMaxMs);
}

QTEST_MAIN(SetupWizardEngineTest)
#include "setup_wizard_engine_test.moc"
