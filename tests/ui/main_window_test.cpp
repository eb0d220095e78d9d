// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/console_fixture.h"
#include "ui/pages/page.h"
#include "ui/status_line.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notification_list.h"
#include "ui/widgets/veil.h"
#include "ui/wizard/setup_wizard.h"

using namespace quarry;
using namespace quarry::test;

class MainWindowTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void keysOpenPages();
  void f5AsksAgain();
  void lostEngineShowsBannerAndKeepsValues();
  void incompatibleEngineIsNamed();
  void startIsNoFailureAndAFailureIsNamed();
  void readOnlyStoreHasABanner();
  void cancelledSetupLeavesAWayToIt();
  void failedRefreshIsSaidOnce();
  void statusLineSaysWhereAndHowMuch();
  void everyPageHasAnEmptyState();
  void everyButtonHasAName();
  void tabReachesTheActions();
  void setupFillsTheWindowAndCloses();
  void heldRepliesFreezeNothing();

 private:
  std::unique_ptr<Theme> m_theme;
};

void MainWindowTest::initTestCase() { m_theme = std::make_unique<Theme>(*qApp); }

void MainWindowTest::keysOpenPages() {
  ConsoleFixture console;
  MainWindow window(console.context(), *m_theme);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  for (int i = 5; i >= 0; --i) {
    QTest::keyClick(&window, Qt::Key(Qt::Key_1 + i), Qt::ControlModifier);
    QCOMPARE(window.currentPage(), PageId(i));
  }
}

void MainWindowTest::f5AsksAgain() {
  ConsoleFixture console;
  MainWindow window(console.context(), *m_theme);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  QTRY_VERIFY(console.feed.isLoaded());
  const qsizetype before = console.engine.calls().size();
  QTest::keyClick(&window, Qt::Key_F5);
  QTRY_VERIFY(console.engine.calls().size() > before);
}

void MainWindowTest::lostEngineShowsBannerAndKeepsValues() {
  ConsoleFixture console;
  console.engine.loadDemo();
  MainWindow window(console.context(), *m_theme);
  window.show();
  console.feed.refresh();
  QTRY_VERIFY(console.vms.rowCount() > 0);
  QVERIFY(window.bannerText().isEmpty());
  const int vms = console.vms.rowCount();

  console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("it went away"));
  QVERIFY(window.bannerText().contains(QStringLiteral("it went away")));
  QVERIFY(window.bannerText().contains(QStringLiteral("Reconnecting")));
  QVERIFY(window.page(PageId::Dashboard)->findChild<Veil*>()->isVisible());
  QCOMPARE(console.vms.rowCount(), vms);

  console.engine.setConnection(EngineApi::Connection::Connected, QStringLiteral("this machine"));
  QVERIFY(window.bannerText().isEmpty());
  QVERIFY(!window.page(PageId::Dashboard)->findChild<Veil*>()->isVisible());
}

void MainWindowTest::incompatibleEngineIsNamed() {
  ConsoleFixture console;
  MainWindow window(console.context(), *m_theme);
  const QString sentence = QStringLiteral("Engine 2.0 speaks protocol 9.0, this console needs 1.x. Update the older of the two.");
  console.engine.setConnection(EngineApi::Connection::Incompatible, sentence);
  QCOMPARE(window.bannerText(), sentence);
}

void MainWindowTest::startIsNoFailureAndAFailureIsNamed() {
  ConsoleFixture console;
  console.process.startFailure = Error{ErrorCode::InvalidArgument, "port 2049 is in use by another program"};
  MainWindow window(console.context(), *m_theme);
  console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("no engine answers there"));
  console.process.start({});
  QVERIFY2(window.bannerText().contains(QStringLiteral("starting")), qPrintable(window.bannerText()));
  QTRY_VERIFY2(window.bannerText().contains(QStringLiteral("in use")), qPrintable(window.bannerText()));
}

void MainWindowTest::readOnlyStoreHasABanner() {
  ConsoleFixture console;
  console.engine.loadDemo();
  console.engine.engineStatus.state = protocol::StoreState::ReadOnly;
  console.engine.engineStatus.reason = "a sync of the journal failed";
  MainWindow window(console.context(), *m_theme);
  console.feed.refresh();
  QTRY_VERIFY2(window.bannerText().contains(QStringLiteral("read-only: a sync of the journal failed.")), qPrintable(window.bannerText()));
  console.engine.engineStatus.state = protocol::StoreState::Serving;
  console.feed.refresh();
  QTRY_VERIFY(window.bannerText().isEmpty());
}

void MainWindowTest::cancelledSetupLeavesAWayToIt() {
  ConsoleFixture console;
  console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("Not connected"));
  MainWindow window(console.context(), *m_theme);
  window.show();
  window.requireSetup();
  window.findChild<SetupWizard*>()->cancelButton()->click();
  QVERIFY(window.bannerText().isEmpty());
  QPushButton* setUp = nullptr;
  for (EmptyState* state : window.findChildren<EmptyState*>()) {
    if (state->isVisible()) setUp = state->button();
  }
  QVERIFY(setUp != nullptr);
  setUp->click();
  QVERIFY(window.isSetupOpen());
}

void MainWindowTest::failedRefreshIsSaidOnce() {
  ConsoleFixture console;
  MainWindow window(console.context(), *m_theme);
  QTRY_VERIFY(console.feed.isLoaded());
  for (int i = 0; i < 2; ++i) {
    for (int part = 0; part < 6; ++part) console.engine.failNext(ErrorCode::Timeout, "no answer");
    console.feed.refresh();
    QTest::qWait(30);
  }
  QCOMPARE(window.notifications().count(), int(NotificationList::entriesMax));
  QVERIFY(window.notifications().lastText().contains(QStringLiteral("no answer"), Qt::CaseInsensitive));
}

void MainWindowTest::statusLineSaysWhereAndHowMuch() {
  ConsoleFixture console;
  console.engine.loadDemo();
  MainWindow window(console.context(), *m_theme);
  window.show();
  console.feed.refresh();
  const auto* line = window.findChild<StatusLine*>();
  QTRY_VERIFY(line->text().contains(QStringLiteral("NFS ")));
  QTRY_VERIFY(line->text().contains(QString::number(console.vms.rowCount()) + QStringLiteral(" VM")));
}

void MainWindowTest::everyPageHasAnEmptyState() {
  ConsoleFixture console;
  MainWindow window(console.context(), *m_theme);
  window.show();
  QTRY_VERIFY(console.feed.isLoaded());
  for (const auto page : {PageId::Dashboard, PageId::Vstorages, PageId::Vms, PageId::Dedup, PageId::Events}) {
    QTRY_VERIFY2(window.page(page)->isEmptyShown(), qPrintable(window.page(page)->title()));
  }
  console.engine.loadDemo();
  console.feed.refresh();
  for (const auto page : {PageId::Dashboard, PageId::Vstorages, PageId::Vms, PageId::Dedup, PageId::Events}) {
    QTRY_VERIFY2(!window.page(page)->isEmptyShown(), qPrintable(window.page(page)->title()));
  }
}

void MainWindowTest::everyButtonHasAName() {
  ConsoleFixture console;
  console.engine.loadDemo();
  MainWindow window(console.context(), *m_theme);
  window.show();
  console.feed.refresh();
  QTRY_VERIFY(console.feed.isLoaded());
  for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
    if (button->focusPolicy() == Qt::NoFocus || button->objectName().startsWith(QStringLiteral("qt_"))) continue;
    const bool named = !button->text().isEmpty() || !button->accessibleName().isEmpty();
    const QObject* around = button->parent();
    QVERIFY2(named || around->inherits("QTableView"),
             qPrintable(QStringLiteral("%1 in %2")
                            .arg(QLatin1String(button->metaObject()->className()), QLatin1String(around->metaObject()->className()))));
  }
}

void MainWindowTest::tabReachesTheActions() {
  ConsoleFixture console;
  console.engine.loadDemo();
  MainWindow window(console.context(), *m_theme);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  console.feed.refresh();
  QTRY_VERIFY(console.vstorages.rowCount() > 0);
  window.openPage(PageId::Vstorages);
  QStringList reached;
  for (int i = 0; i < 60; ++i) {
    QTest::keyClick(qApp->focusWidget() == nullptr ? static_cast<QWidget*>(&window) : qApp->focusWidget(), Qt::Key_Tab);
    if (const auto* button = qobject_cast<QAbstractButton*>(qApp->focusWidget())) reached << button->text();
  }
  QVERIFY2(reached.contains(QStringLiteral("Ne&w vstorage…")), qPrintable(reached.join(u'|')));
  QVERIFY2(reached.contains(QStringLiteral("vStorages")), qPrintable(reached.join(u'|')));
}

void MainWindowTest::setupFillsTheWindowAndCloses() {
  ConsoleFixture console;
  MainWindow window(console.context(), *m_theme);
  window.show();
  window.openSetup();
  QVERIFY(window.isSetupOpen());
  window.findChild<SetupWizard*>()->cancelButton()->click();
  QVERIFY(!window.isSetupOpen());
  QCOMPARE(console.process.startCount, 0);
}

void MainWindowTest::heldRepliesFreezeNothing() {
  ConsoleFixture console(ConsoleFixture::Replies::Held);
  MainWindow window(console.context(), *m_theme);
  window.show();
  for (int i = 0; i < 6; ++i) window.openPage(PageId(i));
  QVERIFY(!window.page(PageId::Vms)->isEmptyShown());
  console.engine.releaseReplies();
  QTRY_VERIFY(window.page(PageId::Vms)->isEmptyShown());
}

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
