// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "engine/protocol/job_state.h"
#include "tests/ui/console_fixture.h"
#include "ui/dialogs/policy_dialog.h"
#include "ui/dialogs/remove_vstorage_dialog.h"
#include "ui/dialogs/vstorage_dialog.h"
#include "ui/dialogs/vstorage_form.h"
#include "ui/pages/dashboard_page.h"
#include "ui/pages/dedup_page.h"
#include "ui/pages/events_page.h"
#include "ui/pages/settings_page.h"
#include "ui/pages/vm_details_panel.h"
#include "ui/pages/vms_page.h"
#include "ui/pages/vstorage_details.h"
#include "ui/pages/vstorages_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/figure_card.h"
#include "ui/widgets/segmented_control.h"

using namespace quarry;
using namespace quarry::test;

class PagesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void dashboardShowsSamplesAndSavings();
  void dashboardSubscribesWhileVisible();
  void attentionIsOfTheLastDays();
  void theBusiestVmOpensItself();
  void dashboardLoadsWithStillLayout();
  void vstoragesShowMountCommands();
  void vstorageIsCreatedByTheDialog();
  void refusalKeepsWhatWasTyped();
  void foldersAloneCanBeRemoved();
  void lostEngineDisablesChanges();
  void coarseBoxesKeepFineValues();
  void vstorageChangesSendOnlyWhatDiffers();
  void removalNamesWhatIsLost();
  void vmsFilterByTextAndVstorage();
  void chipsFollowTheirVstorage();
  void vmDetailsShowFiles();
  void vmFilesAreAskedAgain();
  void csvHasARowPerVm();
  void dedupStartsAndCancels();
  void aLateReplyTakesNothingBack();
  void theTargetStaysChosen();
  void dedupReportFollowsTheSelection();
  void policyDialogKeepsValues();
  void eventsFilterBySeverity();
  void settingsChooseTheTheme();
  void longNamesDoNotWidenThePage();

 private:
  std::unique_ptr<Theme> m_theme;
};

namespace {

// A console with demo data that a page can be built on.
struct Loaded : ConsoleFixture {
  Loaded() {
    engine.loadDemo();
    feed.refresh();
    while (!feed.isLoaded()) QTest::qWait(5);
    QTest::qWait(20);
  }
};

FigureCard* figureNamed(QWidget& page, const QString& name) {
  for (FigureCard* card : page.findChildren<FigureCard*>()) {
    if (card->accessibleName() == name) return card;
  }
  return nullptr;
}

}  // namespace

void PagesTest::initTestCase() { m_theme = std::make_unique<Theme>(*qApp); }

void PagesTest::dashboardShowsSamplesAndSavings() {
  Loaded console;
  DashboardPage page(console.context());
  page.resize(1240, 820);
  page.show();
  QTRY_VERIFY(console.feed.status().has_value());
  for (int i = 0; i < 3; ++i) console.engine.sendSample();
  QTRY_VERIFY(figureNamed(page, QStringLiteral("IOPS"))->figureText() != QStringLiteral("–"));
  QVERIFY(figureNamed(page, QStringLiteral("Latency"))->figureText().contains(QStringLiteral("ms")));
  QVERIFY(figureNamed(page, QStringLiteral("Saved"))->figureText().contains(u'%'));
  QVERIFY(figureNamed(page, QStringLiteral("Latency"))->subline().contains(QStringLiteral("99th")));
  for (ChartCard* chart : page.findChildren<ChartCard*>()) QVERIFY(chart->chart()->stretchCount() > 0);
}

void PagesTest::dashboardSubscribesWhileVisible() {
  Loaded console;
  DashboardPage page(console.context());
  page.show();
  QTRY_VERIFY(console.engine.subscribed().contains(QStringLiteral("vm/")));
  page.hide();
  QTRY_VERIFY(!console.engine.subscribed().contains(QStringLiteral("vm/")));
}

void PagesTest::attentionIsOfTheLastDays() {
  Loaded console;
  const auto daysAgo = [](int days) { return QDateTime::currentDateTimeUtc().addDays(-days).toString(Qt::ISODate).toStdString(); };
  protocol::Event old, fresh;
  old.id = 1;
  old.at = daysAgo(8);
  old.text = "an old warning";
  old.severity = fresh.severity = protocol::Severity::Warning;
  fresh.id = 2;
  fresh.at = daysAgo(6);
  fresh.text = "a fresh warning";
  console.events.replace({old, fresh});
  DashboardPage page(console.context());
  QStringList said;
  for (QLabel* label : page.findChildren<QLabel*>()) said << label->text();
  QVERIFY(said.contains(QStringLiteral("a fresh warning")));
  QVERIFY(!said.contains(QStringLiteral("an old warning")));
  QSignalSpy wanted(&page, &Page::pageRequested);
  for (QToolButton* button : page.findChildren<QToolButton*>()) {
    if (button->text() == QStringLiteral("Show all")) button->click();
  }
  QCOMPARE(wanted.count(), 1);
}

void PagesTest::theBusiestVmOpensItself() {
  Loaded console;
  DashboardPage page(console.context());
  page.show();
  QSignalSpy wanted(&page, &Page::vmWanted);
  auto* table = page.findChild<DataTable*>();
  QTRY_VERIFY(table->model()->rowCount() > 0);
  Q_EMIT table->activated(table->model()->index(0, 0));
  QCOMPARE(wanted.count(), 1);
  QVERIFY(console.vms.find(wanted.first().at(0).toString(), wanted.first().at(1).toString()) != nullptr);
}

void PagesTest::dashboardLoadsWithStillLayout() {
  ConsoleFixture console(ConsoleFixture::Replies::Held);
  console.engine.loadDemo();
  DashboardPage page(console.context());
  page.resize(1240, 820);
  page.show();
  QTest::qWait(20);
  QVERIFY(!page.isEmptyShown());
  const QRect before = figureNamed(page, QStringLiteral("Saved"))->geometry();
  const QRect chartBefore = page.findChildren<ChartCard*>().first()->geometry();
  console.engine.releaseReplies();
  console.feed.refresh();
  QTRY_VERIFY(console.feed.status().has_value());
  console.engine.sendSample();
  QTest::qWait(20);
  QCOMPARE(figureNamed(page, QStringLiteral("Saved"))->geometry(), before);
  QCOMPARE(page.findChildren<ChartCard*>().first()->geometry(), chartBefore);
}

void PagesTest::vstoragesShowMountCommands() {
  Loaded console;
  VstoragesPage page(console.context());
  page.show();
  const QString name = QString::fromStdString(console.vstorages.rows().back().name);
  page.select(name);
  QCOMPARE(page.selected(), name);
  const QString command = page.findChild<VstorageDetails*>()->mountCommand();
  QVERIFY2(command.contains(name), qPrintable(command));
  QVERIFY2(command.contains(QString::fromStdString(console.engine.engineStatus.hostAddresses.front())), qPrintable(command));
  console.settings.set(Setting::HostAddress, QStringLiteral("store.example.org"));
  QTRY_VERIFY(page.findChild<VstorageDetails*>()->mountCommand().contains(QStringLiteral("store.example.org")));
}

void PagesTest::vstorageIsCreatedByTheDialog() {
  Loaded console;
  VstoragesPage page(console.context());
  page.show();
  const int before = console.vstorages.rowCount();
  page.createVstorage();
  auto* dialog = page.findChild<VstorageDialog*>();
  QVERIFY(dialog != nullptr);
  auto* form = dialog->findChild<VstorageForm*>();
  auto* name = form->findChild<QLineEdit*>(QStringLiteral("nameEdit"));
  name->setText(QString::fromStdString(console.vstorages.rows().front().name));
  QVERIFY(form->problem().contains(QStringLiteral("already")));
  name->setText(QStringLiteral("vs-new"));
  form->findChild<QLineEdit*>(QStringLiteral("clientsEdit"))->setText(QStringLiteral("10.0.0.0/24"));
  QVERIFY(form->isValid());
  dialog->accept();
  QTRY_COMPARE(console.vstorages.rowCount(), before + 1);
  const protocol::VstorageInfo* created = console.vstorages.find(QStringLiteral("vs-new"));
  QVERIFY(created != nullptr);
  QCOMPARE(created->squash, protocol::Squash::None);
  QCOMPARE(created->clients, std::vector<std::string>{"10.0.0.0/24"});
}

void PagesTest::refusalKeepsWhatWasTyped() {
  Loaded console;
  VstoragesPage page(console.context());
  page.show();
  page.createVstorage();
  QPointer<VstorageDialog> dialog = page.findChild<VstorageDialog*>();
  auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("nameEdit"));
  name->setText(QStringLiteral("vs-new"));
  console.engine.failNext(ErrorCode::NoSpace, "disk is full");
  dialog->accept();
  QVERIFY(!dialog->isEnabled());
  QTRY_VERIFY2(dialog->problemText().contains(QStringLiteral("disk is full"), Qt::CaseInsensitive), qPrintable(dialog->problemText()));
  QVERIFY(dialog->isVisible() && dialog->isEnabled());
  QCOMPARE(name->text(), QStringLiteral("vs-new"));
  dialog->accept();
  QTRY_VERIFY(console.vstorages.find(QStringLiteral("vs-new")) != nullptr);
  QTRY_VERIFY(!dialog || !dialog->isVisible());
}

void PagesTest::foldersAloneCanBeRemoved() {
  Loaded console;
  protocol::VstorageInfo& vstorage = console.engine.vstorages.front();
  vstorage.fileCount = 0;
  RemoveVstorageDialog dialog(vstorage, nullptr);
  dialog.show();
  connect(&dialog, &RequestDialog::submitted, &dialog, [&] { dialog.await(console.engine.removeVstorage(dialog.request())); });
  QVERIFY(!dialog.request().force);
  console.engine.failNext(ErrorCode::NotEmpty, "it holds folders");
  dialog.accept();
  QTRY_VERIFY2(dialog.lossText().contains(QStringLiteral("folders")), qPrintable(dialog.lossText()));
  QVERIFY(dialog.request().force);
  dialog.findChild<QLineEdit*>()->setText(QString::fromStdString(vstorage.name));
  const size_t before = console.engine.vstorages.size();
  dialog.accept();
  QTRY_COMPARE(console.engine.vstorages.size(), before - 1);
}

void PagesTest::lostEngineDisablesChanges() {
  Loaded console;
  VstoragesPage page(console.context());
  page.show();
  console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("gone"));
  for (QWidget* widget : page.headerWidgets()) QVERIFY(!widget->isEnabled());
  page.createVstorage();
  QVERIFY(page.findChild<VstorageDialog*>() == nullptr);
}

void PagesTest::coarseBoxesKeepFineValues() {
  protocol::VstorageInfo vstorage;
  vstorage.name = "vs";
  vstorage.policy = {.minAgeSeconds = 90, .minSizeBytes = 512 << 10, .exclude = {}, .level = 3};
  PolicyDialog policy(vstorage, nullptr);
  QVERIFY(!policy.request().minAgeSeconds && !policy.request().minSizeBytes && !policy.request().exclude && !policy.request().level);
  VstorageModel model;
  for (const uint64_t quota : {500ull << 20, 3ull << 29}) {
    vstorage.quotaBytes = quota;
    VstorageDialog dialog(model, vstorage, nullptr);
    dialog.findChild<QLineEdit*>(QStringLiteral("clientsEdit"))->setText(QStringLiteral("10.9.9.9"));
    QVERIFY(dialog.setRequest().clients && !dialog.setRequest().quotaBytes);
    dialog.findChild<QSpinBox*>(QStringLiteral("quotaBox"))->setValue(0);
    QCOMPARE(*dialog.setRequest().quotaBytes, uint64_t(0));
  }
}

void PagesTest::vstorageChangesSendOnlyWhatDiffers() {
  Loaded console;
  const protocol::VstorageInfo before = console.vstorages.rows().front();
  VstorageDialog dialog(console.vstorages, before, nullptr);
  QVERIFY(!dialog.setRequest().clients && !dialog.setRequest().squash && !dialog.setRequest().quotaBytes && !dialog.setRequest().readOnly);
  dialog.findChild<QLineEdit*>(QStringLiteral("clientsEdit"))->setText(QStringLiteral("10.9.9.9"));
  QCOMPARE(*dialog.setRequest().clients, std::vector<std::string>{"10.9.9.9"});
  QVERIFY(!dialog.setRequest().squash);
}

void PagesTest::removalNamesWhatIsLost() {
  protocol::VstorageInfo vstorage;
  vstorage.name = "vs-old";
  vstorage.fileCount = 42;
  vstorage.vmCount = 7;
  vstorage.mountCount = 2;
  vstorage.savings.logicalBytes = 3ULL << 40;
  RemoveVstorageDialog dialog(vstorage, nullptr);
  for (const char* part : {"7 virtual machines", "42 files", "TiB", "2 hosts"})
    QVERIFY2(dialog.lossText().contains(QLatin1String(part)), qPrintable(dialog.lossText()));
  QPushButton* remove = nullptr;
  for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
    if (button->text().contains(QStringLiteral("vs-old"))) remove = button;
  }
  QVERIFY(!remove->isEnabled());
  dialog.findChild<QLineEdit*>()->setText(QStringLiteral("vs-old"));
  QVERIFY(remove->isEnabled());
  QVERIFY(dialog.request().force);
  vstorage.fileCount = 0;
  QVERIFY(!RemoveVstorageDialog(vstorage, nullptr).request().force);
}

void PagesTest::vmsFilterByTextAndVstorage() {
  Loaded console;
  VmsPage page(console.context());
  page.resize(1240, 820);
  page.show();
  const int all = console.vms.rowCount();
  QCOMPARE(page.shownCount(), all);
  page.findChild<QLineEdit*>()->setText(QString::fromStdString(console.vms.rows().front().name));
  QVERIFY(page.shownCount() >= 1 && page.shownCount() < all);
  page.findChild<QLineEdit*>()->clear();
  auto* chips = page.findChild<SegmentedControl*>();
  QCOMPARE(chips->count(), 1 + console.vstorages.rowCount());
  chips->setCurrent(1);
  QVERIFY(page.shownCount() >= 1 && page.shownCount() < all);
}

void PagesTest::chipsFollowTheirVstorage() {
  Loaded console;
  const std::vector<protocol::VmInfo> all = console.engine.vms;
  const std::string kept = console.engine.vstorages.back().name;
  std::erase_if(console.engine.vms, [&](const protocol::VmInfo& vm) { return vm.vstorage != kept; });
  console.feed.refresh();
  QTRY_COMPARE(size_t(console.vms.rowCount()), console.engine.vms.size());
  VmsPage page(console.context());
  page.show();
  auto* chips = page.findChild<SegmentedControl*>();
  QCOMPARE(chips->count(), 2);
  chips->setCurrent(1);
  const int shown = page.shownCount();
  console.engine.vms = all;
  console.feed.refresh();
  QTRY_COMPARE(size_t(console.vms.rowCount()), all.size());
  QCOMPARE(page.shownCount(), shown);
  QCOMPARE(chips->current(), chips->count() - 1);
}

void PagesTest::vmDetailsShowFiles() {
  Loaded console;
  VmsPage page(console.context());
  page.resize(1240, 820);
  page.show();
  const protocol::VmInfo& vm = console.vms.rows().front();
  page.select(QString::fromStdString(vm.vstorage), QString::fromStdString(vm.name));
  auto* details = page.findChild<VmDetailsPanel*>();
  QTRY_VERIFY(details->fileCount() > 0);
  for (int i = 0; i < 3; ++i) console.engine.sendSample();
  QTRY_VERIFY(details->findChildren<ChartCard*>().first()->chart()->stretchCount() > 0);
}

void PagesTest::vmFilesAreAskedAgain() {
  Loaded console;
  VmsPage page(console.context());
  page.show();
  const protocol::VmInfo& vm = console.vms.rows().front();
  page.select(QString::fromStdString(vm.vstorage), QString::fromStdString(vm.name));
  const auto asked = [&console] { return console.engine.calls().count(QStringLiteral("vm.show")); };
  QCOMPARE(asked(), 1);
  console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("gone"));
  console.engine.setConnection(EngineApi::Connection::Connected);
  QCOMPARE(asked(), 2);
}

void PagesTest::csvHasARowPerVm() {
  Loaded console;
  VmsPage page(console.context());
  const QStringList lines = page.csv().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), qsizetype(console.vms.rowCount() + 1));
}

void PagesTest::dedupStartsAndCancels() {
  Loaded console;
  console.engine.jobs.clear();
  console.feed.refresh();
  QTRY_VERIFY(console.jobs.running() == nullptr);
  DedupPage page(console.context());
  page.show();
  page.optimizeNow();
  QTRY_VERIFY(console.jobs.running() != nullptr);
  QCOMPARE(console.jobs.running()->type, protocol::JobType::Optimize);
  const qint64 id = console.jobs.running()->id;
  for (QPushButton* button : page.findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("&Cancel job")) button->click();
  }
  QTRY_VERIFY(console.jobs.find(id)->state == protocol::JobState::Cancelled);
}

// The engine announces the end before its reply to the start is read.
void PagesTest::aLateReplyTakesNothingBack() {
  Loaded console;
  console.engine.jobs.clear();
  console.feed.refresh();
  QTRY_VERIFY(console.jobs.running() == nullptr);
  DedupPage page(console.context());
  page.show();
  connect(&console.engine, &EngineApi::jobChanged, &page, [&console](protocol::JobInfo job) {
    if (protocol::hasEnded(job.state)) return;
    job.state = protocol::JobState::Done;
    console.engine.sendJob(job);
  });
  page.optimizeNow();
  QTRY_COMPARE(console.jobs.rowCount(), 1);
  QTest::qWait(20);
  QVERIFY(console.jobs.running() == nullptr);
}

void PagesTest::theTargetStaysChosen() {
  Loaded console;
  DedupPage page(console.context());
  auto* target = qobject_cast<QComboBox*>(page.headerWidgets().front());
  target->setCurrentIndex(target->count() - 1);
  const QString chosen = target->currentText();
  protocol::VstorageInfo added;
  added.name = "vs-added";
  console.engine.vstorages.push_back(added);
  console.feed.refresh();
  QTRY_VERIFY(target->findText(QStringLiteral("vs-added")) > 0);
  QCOMPARE(target->currentText(), chosen);
}

void PagesTest::dedupReportFollowsTheSelection() {
  Loaded console;
  DedupPage page(console.context());
  page.resize(1240, 820);
  page.show();
  QTRY_VERIFY(!page.reportText().isEmpty());
  QVERIFY(page.reportText().contains(QStringLiteral("Duplicate")));
}

void PagesTest::policyDialogKeepsValues() {
  protocol::VstorageInfo vstorage;
  vstorage.name = "vs";
  vstorage.policy = {.minAgeSeconds = 7200, .minSizeBytes = 5 << 20, .exclude = {"scratch/*", "*.iso"}, .level = 3};
  PolicyDialog dialog(vstorage, nullptr);
  const protocol::PolicySet unchanged = dialog.request();
  QCOMPARE(unchanged.name, std::string("vs"));
  QVERIFY(!unchanged.minAgeSeconds && !unchanged.minSizeBytes && !unchanged.exclude && !unchanged.level);
  dialog.findChild<QSpinBox*>(QStringLiteral("ageBox"))->setValue(3);
  QCOMPARE(*dialog.request().minAgeSeconds, uint64_t(3 * 3600));
  QVERIFY(!dialog.request().exclude);
}

void PagesTest::eventsFilterBySeverity() {
  Loaded console;
  EventsPage page(console.context());
  page.show();
  const int all = page.shownCount();
  QVERIFY(all > 0);
  page.setLeast(protocol::Severity::Warning);
  const auto serious = std::count_if(console.events.rows().begin(), console.events.rows().end(),
                                     [](const auto& event) { return event.severity != protocol::Severity::Info; });
  QCOMPARE(page.shownCount(), int(serious));
}

void PagesTest::settingsChooseTheTheme() {
  Loaded console;
  SettingsPage page(console.context(), *m_theme);
  page.show();
  page.findChild<SegmentedControl*>()->setCurrent(int(ThemeChoice::Dark));
  QCOMPARE(currentScheme(), Scheme::Dark);
  QCOMPARE(console.settings.text(Setting::ColorScheme), QStringLiteral("dark"));
  QVERIFY(page.engineText().contains(QString::fromStdString(console.engine.engineStatus.storePath)));
  page.findChild<SegmentedControl*>()->setCurrent(int(ThemeChoice::Light));
}

void PagesTest::longNamesDoNotWidenThePage() {
  Loaded console;
  protocol::VmInfo& vm = console.engine.vms.front();
  vm.name = std::string(200, 'w');
  console.engine.vstorages.front().clients.assign(40, "192.168.100.100");
  console.feed.refresh();
  QTRY_VERIFY(console.vms.find(QString::fromStdString(vm.vstorage), QString::fromStdString(vm.name)) != nullptr);
  VmsPage vms(console.context());
  VstoragesPage vstorages(console.context());
  vms.resize(1024, 700);
  vms.show();
  vms.select(QString::fromStdString(vm.vstorage), QString::fromStdString(vm.name));
  vstorages.show();
  vstorages.select(QString::fromStdString(console.engine.vstorages.front().name));
  QTest::qWait(30);
  QVERIFY2(vms.minimumSizeHint().width() <= 824, qPrintable(QString::number(vms.minimumSizeHint().width())));
  QVERIFY2(vstorages.minimumSizeHint().width() <= 824, qPrintable(QString::number(vstorages.minimumSizeHint().width())));
}

QTEST_MAIN(PagesTest)
#include "pages_test.moc"
