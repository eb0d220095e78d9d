// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cache_page.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include "engine/protocol/cache_curve.h"
#include "tests/ui/console_fixture.h"
#include "ui/dialogs/write_mode_dialog.h"
#include "ui/dialogs/write_mode_form.h"
#include "ui/pages/cache_memory_card.h"
#include "ui/pages/cache_size_card.h"
#include "ui/pages/cache_vstorages_card.h"
#include "ui/pages/write_cache_card.h"
#include "ui/theme/theme.h"
#include "ui/widgets/cache_size_input.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/gauge_row.h"
#include "ui/widgets/gib_box.h"
#include "ui/widgets/hit_curve.h"

using namespace quarry;
using namespace quarry::test;

namespace {

constexpr uint64_t mib = 1ULL << 20, gib = 1ULL << 30;

struct Shown {
  ConsoleFixture console;
  std::unique_ptr<CachePage> page;

  Shown() {
    console.engine.loadDemo();
    console.feed.refresh();
    while (!console.cache.info() || console.cache.curve() == nullptr) QTest::qWait(5);
    page = std::make_unique<CachePage>(console.context());
    page->resize(1240, 820);
    page->show();
  }
  CacheSizeCard& size() { return page->sizeCard(); }
  QPushButton& set() { return *size().setButton(); }
  qsizetype asked(const char* method) { return console.engine.calls().count(QLatin1String(method)); }
};

GaugeRow* gaugeNamed(QWidget& page, const QString& name) {
  for (GaugeRow* row : page.findChildren<GaugeRow*>()) {
    if (row->accessibleName() == name) return row;
  }
  return nullptr;
}

}  // namespace

class CachePageTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { m_theme = std::make_unique<Theme>(*qApp); }

  void theSliderAndTheBoxFollowEachOther() {
    Shown test;
    CacheSizeInput& input = test.size().input();
    QCOMPARE(input.bytes(), 16 * gib);
    QCOMPARE(input.box()->value(), 16.0);
    QVERIFY(!test.set().isEnabled());
    input.slider()->setValue(input.slider()->maximum());
    QCOMPARE(input.bytes(), 48 * gib);
    QCOMPARE(input.box()->value(), 48.0);
    QVERIFY(test.set().isEnabled());
    input.slider()->setValue(0);
    QCOMPARE(input.bytes(), gib / 4);
    input.box()->setValue(20);
    QCOMPARE(input.bytes(), 20 * gib);
    QCOMPARE(input.slider()->value(), input.slider()->maximum() * 20 / 48);
    input.box()->setValue(16);
    QVERIFY(!test.set().isEnabled());
  }

  void aCoarseBoxKeepsAFineSize() {
    CacheSizeInput input;
    const CacheRoom room{.machineBytes = 8 * gib, .availableBytes = gib, .bytesMin = mib, .bytesMax = 6 * gib, .bytes = 2 * gib + 12'345};
    input.setRoom(room);
    QVERIFY(!input.isChosen());
    input.box()->setValue(3);
    input.box()->setValue(2);
    QCOMPARE(input.bytes(), room.bytes);
  }

  void aNewSizeIsSet() {
    Shown test;
    QSignalSpy told(test.page.get(), &Page::notified);
    test.size().input().choose(20 * gib);
    QVERIFY2(test.size().words().contains(QStringLiteral("4 GiB more would give")), qPrintable(test.size().words()));
    QCOMPARE(test.asked("cache.size"), 0);
    test.set().click();
    QVERIFY(!test.set().isEnabled());
    QTRY_COMPARE(test.console.engine.cache.budgetBytes, 20 * gib);
    QTRY_COMPARE(told.count(), 1);
    QTRY_COMPARE(test.console.cache.info()->budgetBytes, 20 * gib);
    QVERIFY(!test.size().input().isChosen());
    QVERIFY(!test.set().isEnabled());
  }

  void moreThanTheMachineHasIsRefused() {
    Shown test;
    test.size().input().box()->setValue(60);
    QVERIFY(!test.set().isEnabled());
    QVERIFY2(test.size().words().contains(QStringLiteral("64 GiB")) && test.size().words().contains(QStringLiteral("48 GiB")),
             qPrintable(test.size().words()));
    QCOMPARE(test.size().input().slider()->value(), test.size().input().slider()->maximum());
    test.size().input().box()->setValue(20);
    test.console.engine.failNext(ErrorCode::InvalidArgument, "another program took the memory");
    test.set().click();
    QTRY_VERIFY2(test.size().words().contains(QStringLiteral("nother program took the memory")), qPrintable(test.size().words()));
    QCOMPARE(test.size().input().bytes(), 20 * gib);
    QVERIFY(test.set().isEnabled());
    QCOMPARE(test.console.engine.cache.budgetBytes, 16 * gib);
  }

  void adviceIsTakenWithOneClick() {
    Shown test;
    const uint64_t advised = advisedSize(*test.console.cache.info(), test.console.cache.curve()).value();
    QVERIFY(test.size().adviceButton()->isVisibleTo(test.page.get()));
    test.size().adviceButton()->click();
    QCOMPARE(test.size().input().bytes(), advised);
    QVERIFY(!test.size().adviceButton()->isEnabled());
    QVERIFY(test.set().isEnabled());
    QVERIFY(test.page->findChild<HitCurve*>()->accessibleDescription().contains(QStringLiteral("advised")));
  }

  void tooFewReadsAreSaid() {
    Shown test;
    for (protocol::CacheCurve& curve : test.console.engine.advice.curves) curve.accessCount = protocol::curveAccessesMin - 1;
    test.console.feed.refreshAdvice();
    QTRY_VERIFY(test.size().words().contains(QStringLiteral("not known yet")));
    QVERIFY(!test.size().adviceButton()->isVisibleTo(test.page.get()));
    test.size().input().choose(20 * gib);
    QVERIFY(test.set().isEnabled());
  }

  void whatIsChosenSurvivesAPoll() {
    Shown test;
    test.size().input().choose(20 * gib);
    test.console.engine.cache.machineAvailableBytes = 30 * gib;
    test.console.feed.refreshCache();
    QTRY_COMPARE(test.size().input().room().availableBytes, 30 * gib);
    QCOMPARE(test.size().input().bytes(), 20 * gib);
    test.size().input().forget();
    test.console.engine.cache.budgetBytes = 8 * gib;
    test.console.feed.refreshCache();
    QTRY_COMPARE(test.size().input().bytes(), 8 * gib);
  }

  void numbersAreAskedForWhileVisible() {
    Shown test;
    const auto before = test.asked("cache.show");
    QTRY_VERIFY_WITH_TIMEOUT(test.asked("cache.show") > before, 5000);
    QVERIFY(test.console.engine.subscribed().contains(QStringLiteral("cache/")));
    test.page->hide();
    const auto after = test.asked("cache.show");
    QTest::qWait(1200);
    QCOMPARE(test.asked("cache.show"), after);
  }

  void gaugesShowTheMemory() {
    Shown test;
    QCOMPARE(gaugeNamed(*test.page, QStringLiteral("Dirty, not on the disk yet"))->valueText(), QStringLiteral("412 MiB of 4 GiB"));
    QCOMPARE(gaugeNamed(*test.page, QStringLiteral("Taken by the engine in all"))->valueText(), QStringLiteral("17 GiB of 64 GiB"));
    QVERIFY(gaugeNamed(*test.page, QStringLiteral("Journal"))->share() > 0.1);
    QVERIFY(test.page->writeCard().words().startsWith(QStringLiteral("Safe at a power cut")));
  }

  void unprotectedBytesAreRed() {
    Shown test;
    test.console.engine.cache.unprotectedBytes = 38 * mib;
    test.console.engine.cache.oldestUnprotectedSeconds = 4;
    test.console.feed.refreshCache();
    QTRY_VERIFY2(test.page->writeCard().words().contains(QStringLiteral("38 MiB")) && test.page->writeCard().words().contains(QStringLiteral("4 s")),
             qPrintable(test.page->writeCard().words()));
    bool isRed = false;
    for (QLabel* label : test.page->writeCard().findChildren<QLabel*>())
      isRed = isRed || (label->text().contains(QStringLiteral("38 MiB")) && label->property("tone") == QStringLiteral("bad"));
    QVERIFY(isRed);
  }

  void flushSaysWhatItDid() {
    Shown test;
    WriteCacheCard& card = test.page->writeCard();
    test.console.engine.holdReplies();
    card.flushButton()->click();
    QVERIFY(!card.flushButton()->isEnabled());
    test.console.engine.releaseReplies();
    QTRY_VERIFY2(card.flushWords().startsWith(QStringLiteral("412 MiB written in")), qPrintable(card.flushWords()));
    QTRY_VERIFY(card.words().startsWith(QStringLiteral("Everything that was written is on the disk")));
    card.flushButton()->click();
    QTRY_COMPARE(card.flushWords(), QStringLiteral("Nothing had to be written."));
    test.console.engine.failNext(ErrorCode::IoError, "the disk does not answer");
    card.flushButton()->click();
    QTRY_VERIFY2(card.flushWords().contains(QStringLiteral("he disk does not answer")), qPrintable(card.flushWords()));
    QVERIFY(card.flushButton()->isEnabled());
  }

  void theModeThatLosesWritesAsksFirst() {
    Shown test;
    test.page->vstoragesCard().select(QStringLiteral("lab2"));
    test.page->vstoragesCard().changeButton()->click();
    auto* dialog = test.page->findChild<WriteModeDialog*>();
    QVERIFY(dialog != nullptr);
    QVERIFY(!dialog->acceptButton()->isEnabled());
    dialog->form()->setMode(protocol::WriteMode::Ram);
    QVERIFY(dialog->acceptButton()->text().contains(QStringLiteral("Risk")));
    QVERIFY(dialog->acceptButton()->property("danger").toBool() && !dialog->acceptButton()->isDefault());
    test.console.engine.failNext(ErrorCode::ReadOnly, "the store is read-only");
    dialog->acceptButton()->click();
    QTRY_VERIFY2(!dialog->problemText().isEmpty(), qPrintable(dialog->problemText()));
    QCOMPARE(test.console.cache.find(QStringLiteral("lab2"))->writeMode, protocol::WriteMode::Safe);
    dialog->acceptButton()->click();
    QTRY_COMPARE(test.console.cache.find(QStringLiteral("lab2"))->writeMode, protocol::WriteMode::Ram);
    QCOMPARE(test.console.cache.find(QStringLiteral("lab1"))->writeMode, protocol::WriteMode::Safe);
  }

  void lostEngineDisablesChanges() {
    Shown test;
    test.size().input().choose(20 * gib);
    test.console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("gone"));
    QVERIFY(!test.set().isEnabled());
    QVERIFY(!test.page->writeCard().flushButton()->isEnabled());
    QVERIFY(!test.page->vstoragesCard().changeButton()->isEnabled());
    QVERIFY(test.size().words().contains(QStringLiteral("64 GiB")));
    test.console.engine.setConnection(EngineApi::Connection::Connected);
    QVERIFY(test.set().isEnabled());
  }

  void withoutVstoragesItSaysWhatToDo() {
    ConsoleFixture console;
    CachePage page(console.context());
    page.show();
    QTRY_VERIFY(page.isEmptyShown());
    QSignalSpy wanted(&page, &Page::vstorageWanted);
    page.emptyState()->button()->click();
    QCOMPARE(wanted.count(), 1);
  }

  void loadingKeepsTheLayout() {
    ConsoleFixture console(ConsoleFixture::Replies::Held);
    CachePage page(console.context());
    page.resize(1240, 820);
    page.show();
    QVERIFY(!page.isEmptyShown());
    QVERIFY(!page.sizeCard().setButton()->isEnabled());
    QVERIFY(!page.writeCard().flushButton()->isEnabled());
  }

  void goesByKeyboard() {
    Shown test;
    test.page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(test.page.get()));
    test.size().input().slider()->setFocus();
    const uint64_t before = test.size().input().bytes();
    QTest::keyClick(qApp->focusWidget(), Qt::Key_Right);
    QVERIFY(test.size().input().bytes() > before);
    const auto reaches = [&](QWidget* wanted) {
      for (int i = 0; i < 20 && qApp->focusWidget() != wanted; ++i) QTest::keyClick(qApp->focusWidget(), Qt::Key_Tab);
      return qApp->focusWidget() == wanted;
    };
    QVERIFY(reaches(&test.set()));
    QVERIFY(reaches(test.page->writeCard().flushButton()));
    QVERIFY(reaches(test.page->vstoragesCard().changeButton()));
    QVERIFY(reaches(test.page->findChild<DataTable*>()));
  }

 private:
  std::unique_ptr<Theme> m_theme;
};

QTEST_MAIN(CachePageTest)
#include "cache_page_test.moc"
