// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/setup_wizard.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/console_fixture.h"
#include "ui/theme/theme.h"
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
  void goesByKeyboardAlone();

 private:
  std::unique_ptr<Theme> m_theme;
};

namespace {

StoreCheck goodCheck() {
  return {.path = {},
          .ok = true,
          .checks = {{QStringLiteral("folder"), true, QStringLiteral("The folder exists.")}},
          .freeBytes = 1ULL << 40,
          .diskBytes = 2ULL << 40,
          .writeBytesPerSecond = 1ULL << 30,
          .existingStore = false};
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
  // Up to the summary, with good values.
  void fill(const QString& name = QStringLiteral("vs-servers")) {
    next();
    wizard.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
    QTRY_VERIFY(mayGoOn());
    next();
    type(QStringLiteral("Name"), name);
    type(QStringLiteral("Hosts that may mount it"), QStringLiteral("10.0.0.0/24"));
    next();
    next();
    QCOMPARE(wizard.currentStep(), SetupWizard::Summary);
  }
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
  test.next();
  test.next();
  test.next();
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
  console.process.start({.storePath = QStringLiteral("/srv/former"), .controlSocket = {}});
  QTRY_COMPARE(console.process.state(), EngineProcess::State::Running);
  SetupWizard wizard(console.context(), alwaysServes());
  wizard.show();
  wizard.nextButton()->click();
  wizard.storeStep()->setFolder(QStringLiteral("/srv/other"));
  QTRY_VERIFY(wizard.nextButton()->isEnabled());
  wizard.nextButton()->click();
  wizard.findChild<QLineEdit*>(QStringLiteral("nameEdit"))->setText(QStringLiteral("vs1"));
  for (int i = 0; i < 3; ++i) wizard.nextButton()->click();
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
