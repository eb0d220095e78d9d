// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>

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
  void dashboardLoadsWithStillLayout();
  void vstoragesShowMountCommands();
  void vstorageIsCreatedByTheDialog();
  void refusalIsReported();
  void vstorageChangesSendOnlyWhatDiffers();
  void removalNamesWhatIsLost();
  void vmsFilterByTextAndVstorage();
  void vmDetailsShowFiles();
  void csvHasARowPerVm();
  void dedupStartsAndCancels();
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

void PagesTest::refusalIsReported() {
  Loaded console;
  VstoragesPage page(console.context());
  page.show();
  QString said;
  connect(&page, &Page::notified, &page,
          [&said](protocol::Severity, const QString& title, const QString& text) { said = title + u'|' + text; });
  page.createVstorage();
  auto* dialog = page.findChild<VstorageDialog*>();
  dialog->findChild<QLineEdit*>(QStringLiteral("nameEdit"))->setText(QStringLiteral("vs-new"));
  console.engine.failNext(ErrorCode::NoSpace, "disk is full");
  dialog->accept();
  QTRY_VERIFY2(said.contains(QStringLiteral("vs-new")) && said.contains(QStringLiteral("disk is full"), Qt::CaseInsensitive),
               qPrintable(said));
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
    if (button->text() == QStringLiteral("Cancel job")) button->click();
  }
  QTRY_VERIFY(console.jobs.find(id)->state == protocol::JobState::Cancelled);
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
  const protocol::PolicySet request = dialog.request();
  QCOMPARE(request.name, std::string("vs"));
  QCOMPARE(*request.minAgeSeconds, uint64_t(7200));
  QCOMPARE(*request.minSizeBytes, uint64_t(5 << 20));
  QCOMPARE(*request.exclude, vstorage.policy.exclude);
  QCOMPARE(*request.level, 3);
  vstorage.policy.minAgeSeconds = 0;
  QCOMPARE(*PolicyDialog(vstorage, nullptr).request().minAgeSeconds, uint64_t(0));
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
