// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/setup_wizard.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/demo_data.h"
#include "tests/ui/console_fixture.h"
#include "ui/theme/theme.h"
#include "ui/dialogs/write_mode_form.h"
#include "ui/widgets/gib_box.h"
#include "ui/widgets/option_card.h"
#include "ui/wizard/progress_step.h"
#include "ui/wizard/store_step.h"

using namespace quarry;
using namespace quarry::test;

class SetupWizardTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void setsUpFromTheFirstToTheLastStep();
  void nothingIsChangedBeforeTheSummary();
  void badFolderStopsAtTheStore();
  void nameIsCheckedWhileTyping();
  void failureLetsGoBackAndTryAgain();
  void attachesToARunningEngine();
  void onlyTheSocketThatAnsweredIsUsed();
  void aStoreWithVstoragesNeedsNoOther();
  void theOwnEngineIsStoppedFirst();
  void foldersAreCheckedOneAtATime();
  void warningsAreNoSuccess();
  void cancelCloses();
  void theCacheGetsItsSizeAndItsMode();
  void moreMemoryThanThereIsStopsAtTheCache();
  void theFormerSizeComesBackAfterAFailure();
  void anEngineThatRunsKeepsItsSize();
  void goesByKeyboardAlone();

 private:
  std::unique_ptr<Theme> m_theme;
};

namespace {

constexpr uint64_t gib = 1ULL << 30;

StoreCheck goodCheck() {
  return {.path = {},
          .ok = true,
          .checks = {{QStringLiteral("folder"), true, QStringLiteral("The folder exists.")}},
          .freeBytes = 1ULL << 40,
          .diskBytes = 2ULL << 40,
          .writeBytesPerSecond = 1ULL << 30,
          .existingStore = false,
          .cacheRoom = {.machineBytes = 64 * gib, .availableBytes = 41 * gib, .bytesMin = gib / 4, .bytesMax = 48 * gib, .bytes = 16 * gib}};
}

SetupOperation::Probe alwaysServes() {
  return [](const QString&, int) { return QtFuture::makeReadyFuture(Result<QString>(QStringLiteral("NFS answered."))); };
}

void chooseToAttach(SetupWizard& wizard) {
  for (OptionCard* card : wizard.findChildren<OptionCard*>()) {
    if (card->text() == QStringLiteral("Use an engine that runs already")) card->setChecked(true);
  }
}

struct Wizard {
  ConsoleFixture console;
  SetupWizard wizard{console.context(), alwaysServes()};

  Wizard() {
    console.process.check = goodCheck();
    console.engine.loadDemo();  // for the size of its cache
    console.engine.vstorages.clear();
    console.engine.vms.clear();
    wizard.resize(1440, 900);
    wizard.show();
  }
  void next() { wizard.nextButton()->click(); }
  void type(const QString& accessibleName, const QString& text) {
    for (QLineEdit* edit : wizard.findChildren<QLineEdit*>()) {
      if (edit->accessibleName() == accessibleName && edit->isVisible()) edit->setText(text);
    }
  }
  bool mayGoOn() { return wizard.nextButton()->isEnabled(); }
  bool says(const QString& text) {
    for (QLabel* label : wizard.findChildren<QLabel*>()) {
      if (label->isVisible() && label->text().contains(text)) return true;
    }
    return false;
  }
  // Up to this step, with good values.
  void goTo(SetupWizard::Step wanted) {
    next();
    wizard.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
    QTRY_VERIFY(mayGoOn());
    next();
    type(QStringLiteral("Name"), QStringLiteral("vs-servers"));
    type(QStringLiteral("Hosts that may mount it"), QStringLiteral("10.0.0.0/24"));
    for (const SetupWizard::Step step : {SetupWizard::Cache, SetupWizard::Dedup, SetupWizard::Summary}) {
      if (wizard.currentStep() == wanted) return;
      next();
      QCOMPARE(wizard.currentStep(), step);
    }
  }
  void fill() { goTo(SetupWizard::Summary); }
};

}  // namespace

void SetupWizardTest::initTestCase() { m_theme = std::make_unique<Theme>(*qApp); }

void SetupWizardTest::setsUpFromTheFirstToTheLastStep() {
  Wizard test;
  test.fill();
  test.next();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Progress);
  QTRY_VERIFY2(test.wizard.progressStep()->succeeded(), qPrintable(test.wizard.progressStep()->outcome()));
  QCOMPARE(test.console.process.startedWith.storePath, QStringLiteral("/srv/quarry"));
  QCOMPARE(test.console.engine.vstorages.size(), size_t(1));
  QCOMPARE(test.console.engine.vstorages.front().name, std::string("vs-servers"));
  QCOMPARE(test.console.engine.vstorages.front().squash, protocol::Squash::None);
  QCOMPARE(test.console.engine.vstorages.front().policy.minAgeSeconds, uint64_t(3600));
  QCOMPARE(test.console.settings.text(Setting::StorePath), QStringLiteral("/srv/quarry"));
  QSignalSpy closed(&test.wizard, &SetupWizard::closed);
  test.next();
  QCOMPARE(closed.count(), 1);
}

void SetupWizardTest::nothingIsChangedBeforeTheSummary() {
  Wizard test;
  test.fill();
  QCOMPARE(test.console.process.startCount, 0);
  QVERIFY(!test.console.engine.calls().contains(QStringLiteral("vstorage.create")));
  QVERIFY(test.console.settings.text(Setting::StorePath).isEmpty());
}

void SetupWizardTest::badFolderStopsAtTheStore() {
  Wizard test;
  test.console.process.check = {
      .path = {}, .ok = false, .checks = {{QStringLiteral("hole-punching"), false, QStringLiteral("The file system cannot punch holes.")}}};
  test.next();
  QVERIFY(!test.mayGoOn());
  test.wizard.storeStep()->setFolder(QStringLiteral("relative"));
  QTest::qWait(50);
  QVERIFY(!test.mayGoOn());
  test.wizard.storeStep()->setFolder(QStringLiteral("/mnt/usb"));
  const auto said = [&test] {
    for (QLabel* label : test.wizard.storeStep()->findChildren<QLabel*>()) {
      if (label->text().contains(QStringLiteral("punch holes"))) return true;
    }
    return false;
  };
  QTRY_VERIFY(said());
  QVERIFY(!test.mayGoOn());
  test.console.process.check = goodCheck();
  test.wizard.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
  QTRY_VERIFY(test.mayGoOn());
}

void SetupWizardTest::nameIsCheckedWhileTyping() {
  Wizard test;
  test.next();
  test.wizard.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
  QTRY_VERIFY(test.mayGoOn());
  test.next();
  QVERIFY(!test.mayGoOn());
  for (const char* bad : {"a b", "-a", "a/b", ".."}) {
    test.type(QStringLiteral("Name"), QLatin1String(bad));
    QVERIFY2(!test.mayGoOn(), bad);
  }
  test.type(QStringLiteral("Name"), QStringLiteral("vs1"));
  QVERIFY(test.mayGoOn());
  test.type(QStringLiteral("Hosts that may mount it"), QStringLiteral("10.0.0.999"));
  QVERIFY(!test.mayGoOn());
}

void SetupWizardTest::failureLetsGoBackAndTryAgain() {
  Wizard test;
  test.fill();
  test.console.process.startFailure = Error{ErrorCode::Locked, "another engine owns /srv/quarry"};
  test.next();
  const auto said = [&test](const QString& text) {
    for (QLabel* label : test.wizard.progressStep()->findChildren<QLabel*>()) {
      if (label->text().contains(text, Qt::CaseInsensitive)) return true;
    }
    return false;
  };
  QTRY_VERIFY(said(QStringLiteral("another engine owns /srv/quarry")));
  QTRY_VERIFY(test.wizard.backButton()->isEnabled());
  QCOMPARE(test.wizard.nextButton()->text(), QStringLiteral("Try a&gain"));
  QVERIFY(!test.wizard.progressStep()->succeeded());
  test.wizard.backButton()->click();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Summary);
  test.console.process.startFailure.reset();
  test.next();
  QTRY_VERIFY(test.wizard.progressStep()->succeeded());
}

void SetupWizardTest::attachesToARunningEngine() {
  Wizard test;
  test.console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("not there"));
  QSignalSpy wanted(&test.wizard, &SetupWizard::attachRequested);
  chooseToAttach(test.wizard);
  QVERIFY(!test.mayGoOn());
  test.type(QStringLiteral("Control socket of the engine"), QStringLiteral("/run/quarry.sock"));
  for (QPushButton* button : test.wizard.findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("&Connect")) button->click();
  }
  QCOMPARE(wanted.count(), 1);
  QCOMPARE(wanted.first().first().toString(), QStringLiteral("/run/quarry.sock"));
  test.console.engine.setConnection(EngineApi::Connection::Connected, QStringLiteral("a service"));
  QVERIFY(test.mayGoOn());
  test.next();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Vstorage);
  test.type(QStringLiteral("Name"), QStringLiteral("vs1"));
  for (int i = 0; i < 4; ++i) test.next();
  QTRY_VERIFY(test.wizard.progressStep()->succeeded());
  QCOMPARE(test.console.process.startCount, 0);
  QCOMPARE(test.console.settings.text(Setting::EngineTarget), QStringLiteral("/run/quarry.sock"));
}

void SetupWizardTest::onlyTheSocketThatAnsweredIsUsed() {
  ConsoleFixture console;
  console.engine.engineStatus.controlSocket = "/run/former.sock";
  console.feed.refresh();
  QTRY_VERIFY(console.feed.status() && !console.feed.status()->controlSocket.empty());
  SetupWizard wizard(console.context(), alwaysServes());
  wizard.show();
  QSignalSpy wanted(&wizard, &SetupWizard::attachRequested);
  chooseToAttach(wizard);
  QVERIFY(wizard.nextButton()->isEnabled());
  for (QLineEdit* edit : wizard.findChildren<QLineEdit*>()) {
    if (edit->accessibleName() == QStringLiteral("Control socket of the engine")) edit->setText(QStringLiteral("/other.sock"));
  }
  QVERIFY(!wizard.nextButton()->isEnabled());
  for (QPushButton* button : wizard.findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("&Connect")) button->click();
  }
  QVERIFY(wizard.nextButton()->isEnabled());
  wizard.cancelButton()->click();
  QCOMPARE(wanted.count(), 2);
  QCOMPARE(wanted.last().first().toString(), QStringLiteral("/run/former.sock"));
}

void SetupWizardTest::aStoreWithVstoragesNeedsNoOther() {
  Wizard test;
  test.console.process.check.existingStore = true;
  test.next();
  test.wizard.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
  QTRY_VERIFY(test.mayGoOn());
  test.next();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Vstorage);
  QVERIFY(test.mayGoOn());
  test.next();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Summary);
  test.wizard.backButton()->click();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Vstorage);
  test.next();
  test.next();
  QTRY_VERIFY2(test.wizard.progressStep()->succeeded(), qPrintable(test.wizard.progressStep()->reportText()));
  QVERIFY(!test.console.engine.calls().contains(QStringLiteral("vstorage.create")));
}

void SetupWizardTest::theOwnEngineIsStoppedFirst() {
  ConsoleFixture console;
  console.process.check = goodCheck();
  console.engine.cache = makeDemoData(1).cache;
  console.process.start({.storePath = QStringLiteral("/srv/former"), .controlSocket = {}});
  QTRY_COMPARE(console.process.state(), EngineProcess::State::Running);
  SetupWizard wizard(console.context(), alwaysServes());
  wizard.show();
  wizard.nextButton()->click();
  wizard.storeStep()->setFolder(QStringLiteral("/srv/other"));
  QTRY_VERIFY(wizard.nextButton()->isEnabled());
  wizard.nextButton()->click();
  wizard.findChild<QLineEdit*>(QStringLiteral("nameEdit"))->setText(QStringLiteral("vs1"));
  for (int i = 0; i < 4; ++i) wizard.nextButton()->click();
  QTRY_VERIFY2(wizard.progressStep()->succeeded(), qPrintable(wizard.progressStep()->reportText()));
  QCOMPARE(console.process.stopCount, 1);
  QCOMPARE(console.process.startedWith.storePath, QStringLiteral("/srv/other"));
}

void SetupWizardTest::foldersAreCheckedOneAtATime() {
  Wizard test;
  test.console.process.checkMs = 400;
  test.next();
  test.wizard.storeStep()->setFolder(QStringLiteral("/srv/q"));
  QTRY_COMPARE(test.console.process.checkCount, 1);
  test.wizard.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
  QTest::qWait(50);
  QCOMPARE(test.console.process.checkCount, 1);
  QTRY_VERIFY(test.mayGoOn());
  QCOMPARE(test.console.process.checkCount, 2);
}

void SetupWizardTest::warningsAreNoSuccess() {
  Wizard test;
  test.console.process.check.checks = {
      {.name = QStringLiteral("space"), .ok = true, .text = QStringLiteral("Only 900 MiB are free."), .warning = true}};
  test.next();
  test.wizard.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
  QTRY_VERIFY(test.mayGoOn());
  bool said = false;
  for (QLabel* label : test.wizard.storeStep()->findChildren<QLabel*>())
    said = said || (label->text().contains(QStringLiteral("read the warning")) && label->property("tone") == QStringLiteral("warning"));
  QVERIFY(said);
}

void SetupWizardTest::cancelCloses() {
  Wizard test;
  QSignalSpy closed(&test.wizard, &SetupWizard::closed);
  test.wizard.cancelButton()->click();
  QCOMPARE(closed.count(), 1);
}

void SetupWizardTest::theCacheGetsItsSizeAndItsMode() {
  Wizard test;
  test.goTo(SetupWizard::Cache);
  QCOMPARE(test.wizard.findChild<GibBox*>()->value(), 16.0);
  test.wizard.findChild<GibBox*>()->setValue(20);
  test.wizard.findChild<WriteModeForm*>()->setMode(protocol::WriteMode::Ram);
  test.next();
  test.next();
  QTRY_VERIFY(test.says(QStringLiteral("20 GiB of the machine's 64 GiB")));
  QVERIFY(test.says(QStringLiteral("RAM: at once")));
  QCOMPARE(test.console.engine.cache.budgetBytes, 16 * gib);
  test.next();
  QTRY_VERIFY2(test.wizard.progressStep()->succeeded(), qPrintable(test.wizard.progressStep()->reportText()));
  QCOMPARE(test.console.engine.cache.budgetBytes, 20 * gib);
  QCOMPARE(test.console.engine.vstorages.front().writeMode, protocol::WriteMode::Ram);
}

void SetupWizardTest::moreMemoryThanThereIsStopsAtTheCache() {
  Wizard test;
  test.goTo(SetupWizard::Cache);
  test.wizard.findChild<GibBox*>()->setValue(60);
  QVERIFY(!test.mayGoOn());
  QVERIFY(test.says(QStringLiteral("60 GiB is too much")));
  test.wizard.findChild<GibBox*>()->setValue(8);
  QVERIFY(test.mayGoOn());
}

void SetupWizardTest::theFormerSizeComesBackAfterAFailure() {
  Wizard test;
  test.goTo(SetupWizard::Cache);
  test.wizard.findChild<GibBox*>()->setValue(20);
  for (int i = 0; i < 2; ++i) test.next();
  protocol::VstorageInfo other;
  other.name = "vs-servers";  // somebody was quicker
  test.console.engine.vstorages = {other};
  test.next();
  QTRY_VERIFY(test.wizard.backButton()->isEnabled());
  QVERIFY(!test.wizard.progressStep()->succeeded());
  QVERIFY(test.console.engine.calls().count(QStringLiteral("cache.size")) == 2);
  QCOMPARE(test.console.engine.cache.budgetBytes, 16 * gib);
}

void SetupWizardTest::anEngineThatRunsKeepsItsSize() {
  Wizard test;
  test.console.feed.refresh();
  QTRY_VERIFY(test.console.cache.info().has_value());
  test.console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("not there"));
  chooseToAttach(test.wizard);
  test.type(QStringLiteral("Control socket of the engine"), QStringLiteral("/run/quarry.sock"));
  for (QPushButton* button : test.wizard.findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("&Connect")) button->click();
  }
  test.console.engine.setConnection(EngineApi::Connection::Connected, QStringLiteral("a service"));
  test.next();
  test.type(QStringLiteral("Name"), QStringLiteral("vs1"));
  test.next();
  QCOMPARE(test.wizard.findChild<GibBox*>()->value(), 16.0);
  for (int i = 0; i < 3; ++i) test.next();
  QTRY_VERIFY(test.wizard.progressStep()->succeeded());
  QVERIFY(!test.console.engine.calls().contains(QStringLiteral("cache.size")));
  QCOMPARE(test.console.engine.vstorages.back().writeMode, protocol::WriteMode::Safe);
}

void SetupWizardTest::goesByKeyboardAlone() {
  Wizard test;
  test.wizard.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&test.wizard));
  const auto press = [](QPushButton* button) {
    for (int i = 0; i < 40 && qApp->focusWidget() != button; ++i) QTest::keyClick(qApp->focusWidget(), Qt::Key_Tab);
    QCOMPARE(qApp->focusWidget(), button);
    QTest::keyClick(button, Qt::Key_Space);
  };
  QVERIFY(qApp->focusWidget() != nullptr);
  press(test.wizard.nextButton());
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Store);
  QTest::keyClicks(qApp->focusWidget(), QStringLiteral("/srv/quarry"));
  QTRY_VERIFY(test.mayGoOn());
  press(test.wizard.nextButton());
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Vstorage);
  QTest::keyClicks(qApp->focusWidget(), QStringLiteral("vs-keys"));
  QVERIFY(test.mayGoOn());
  const auto enter = [] { QTest::keyClick(qApp->focusWidget(), Qt::Key_Return); };
  enter();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Cache);
  enter();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Dedup);
  enter();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Summary);
  enter();
  QCOMPARE(test.wizard.currentStep(), SetupWizard::Progress);
  QTRY_VERIFY(test.wizard.progressStep()->succeeded());
  QSignalSpy closed(&test.wizard, &SetupWizard::closed);
  enter();
  QCOMPARE(closed.count(), 1);
}

QTEST_MAIN(SetupWizardTest)
#include "setup_wizard_test.moc"
