// SPDX-License-Identifier: GPL-3.0-or-later
// console_screenshots OUTDIR: every page and every step of the wizard as PNGs, light and dark, with full data, with none, with long
// names, while loading and with the engine lost. Run with -platform offscreen, and again with QT_SCALE_FACTOR=1.5.
#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFontDatabase>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <cstdio>

#include "tests/support/demo_data.h"
#include "tests/ui/console_fixture.h"
#include "ui/dialogs/policy_dialog.h"
#include "ui/dialogs/remove_vstorage_dialog.h"
#include "ui/dialogs/vstorage_dialog.h"
#include "ui/dialogs/write_mode_dialog.h"
#include "ui/dialogs/write_mode_form.h"
#include "ui/main_window.h"
#include "ui/pages/cache_page.h"
#include "ui/pages/cache_size_card.h"
#include "ui/pages/vms_page.h"
#include "ui/pages/vstorages_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/cache_size_input.h"
#include "ui/widgets/gib_box.h"
#include "ui/widgets/option_card.h"
#include "ui/wizard/setup_wizard.h"
#include "ui/wizard/store_step.h"

namespace quarry::test {

namespace {

constexpr int settleMs = 60;

class Camera {
 public:
  Camera(QDir folder, QString suffix) : m_folder(std::move(folder)), m_suffix(std::move(suffix)) {}

  void take(QWidget& widget, const QString& name) {
    QTest::qWait(settleMs);
    const QString path = m_folder.filePath(name + m_suffix + QStringLiteral(".png"));
    if (!widget.grab().save(path)) std::fprintf(stderr, "cannot write %s\n", qPrintable(path));
  }

 private:
  QDir m_folder;
  QString m_suffix;
};

QString pageName(PageId page) {
  const char* names[] = {"dashboard", "vstorages", "virtual-machines", "dedup", "cache", "events", "settings"};
  return QLatin1String(names[int(page)]);
}

void feedSamples(ConsoleFixture& console, int count) {
  for (int i = 0; i < count; ++i) console.engine.sendSample();
  QTest::qWait(settleMs);
}

void takePages(Camera& camera, MainWindow& window, const QString& state) {
  for (int i = 0; i <= int(PageId::Settings); ++i) {
    window.openPage(PageId(i));
    camera.take(window, pageName(PageId(i)) + state);
  }
}

// The dashboard shows what happened lately.
void moveEventsToToday(FakeEngine& engine) {
  qint64 secondsAgo = 600;
  for (auto event = engine.events.rbegin(); event != engine.events.rend(); ++event, secondsAgo *= 6)
    event->at = QDateTime::currentDateTimeUtc().addSecs(-secondsAgo).toString(Qt::ISODate).toStdString();
}

void takeFull(Camera& camera, Theme& theme) {
  ConsoleFixture console;
  console.engine.loadDemo();
  moveEventsToToday(console.engine);
  console.engine.setConnection(EngineApi::Connection::Connected, QStringLiteral("this machine"));
  MainWindow window(console.context(), theme);
  window.show();
  console.feed.refresh();
  QTest::qWait(300);
  feedSamples(console, 30);
  window.openPage(PageId::Dashboard);
  takePages(camera, window, {});
  window.openPage(PageId::Vms);
  auto* vms = static_cast<VmsPage*>(window.page(PageId::Vms));
  const protocol::VmInfo& vm = console.vms.rows().front();
  vms->select(QString::fromStdString(vm.vstorage), QString::fromStdString(vm.name));
  feedSamples(console, 20);
  camera.take(window, QStringLiteral("virtual-machines-details"));
  console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("the engine closed the connection"));
  takePages(camera, window, QStringLiteral("-lost"));
}

void takeSmall(Camera& camera, Theme& theme) {
  ConsoleFixture console;
  console.engine.loadDemo();
  MainWindow window(console.context(), theme);
  window.resize(window.minimumSize());
  window.show();
  console.feed.refresh();
  QTest::qWait(300);
  feedSamples(console, 30);
  takePages(camera, window, QStringLiteral("-small"));
}

void takeEmpty(Camera& camera, Theme& theme) {
  ConsoleFixture console(ConsoleFixture::Replies::Held);
  MainWindow window(console.context(), theme);
  window.show();
  takePages(camera, window, QStringLiteral("-loading"));
  console.engine.releaseReplies();
  console.feed.refresh();
  QTest::qWait(200);
  takePages(camera, window, QStringLiteral("-empty"));
}

// What only comes with trouble.
void takeTrouble(Camera& camera, Theme& theme) {
  ConsoleFixture console;
  console.engine.loadDemo();
  console.engine.engineStatus.state = protocol::StoreState::ReadOnly;
  console.engine.engineStatus.reason = "a sync of the landing file failed: Input/output error";
  MainWindow window(console.context(), theme);
  window.resize(window.minimumSize());
  window.show();
  console.feed.refresh();
  QTest::qWait(300);
  camera.take(window, QStringLiteral("trouble-read-only"));
  window.openPage(PageId::Vstorages);
  auto* vstorages = static_cast<VstoragesPage*>(window.page(PageId::Vstorages));
  vstorages->createVstorage();
  QTest::qWait(settleMs);
  auto* dialog = vstorages->findChild<VstorageDialog*>();
  camera.take(*dialog, QStringLiteral("dialog-vstorage"));
  dialog->findChild<QLineEdit*>(QStringLiteral("nameEdit"))->setText(QStringLiteral("vs-a-name-that-is-longer-than-esxi-takes-for-one"));
  console.engine.failNext(ErrorCode::ReadOnly, "a sync of the landing file failed");
  dialog->accept();
  QTest::qWait(settleMs);
  camera.take(*dialog, QStringLiteral("trouble-dialog-refused"));
  RemoveVstorageDialog removal(console.vstorages.rows().front(), nullptr);
  removal.show();
  camera.take(removal, QStringLiteral("trouble-dialog-remove"));
  PolicyDialog policy(console.vstorages.rows().front(), nullptr);
  policy.show();
  camera.take(policy, QStringLiteral("dialog-policy"));
  console.engine.setConnection(EngineApi::Connection::Lost, QStringLiteral("Not connected"));
  MainWindow unset(console.context(), theme);
  unset.show();
  unset.requireSetup();
  unset.findChild<SetupWizard*>()->cancelButton()->click();
  camera.take(unset, QStringLiteral("trouble-not-set-up"));
}

void loseSomeWrites(FakeEngine& engine) {
  constexpr uint64_t mib = 1ULL << 20;
  protocol::VstorageInfo scratch = engine.vstorages.front();
  scratch.name = "scratch-for-build-agents-and-other-things-that-can-be-made-again";
  scratch.writeMode = protocol::WriteMode::Ram;
  scratch.unprotectedBytes = 38 * mib;
  engine.vstorages.push_back(scratch);
  protocol::CacheVstorage row = engine.cache.vstorages.front();
  row.name = scratch.name;
  row.dirtyBytes = row.unprotectedBytes = engine.cache.unprotectedBytes = 38 * mib;
  row.oldestUnprotectedSeconds = engine.cache.oldestUnprotectedSeconds = 4;
  engine.cache.vstorages.push_back(row);
  std::erase_if(engine.descriptions, [](const auto& one) { return one.id.starts_with("cache/write/"); });
}

// One vstorage that a power cut would hurt, a size chosen, one refused, and no curve yet.
void takeCache(Camera& camera, Theme& theme) {
  ConsoleFixture console;
  console.engine.loadDemo();
  loseSomeWrites(console.engine);
  MainWindow window(console.context(), theme);
  window.show();
  console.feed.refresh();
  QTest::qWait(300);
  feedSamples(console, 30);
  camera.take(window, QStringLiteral("cache-ram-dashboard"));
  window.openPage(PageId::Vstorages);
  camera.take(window, QStringLiteral("cache-ram-vstorages"));
  window.openPage(PageId::Cache);
  auto* page = static_cast<CachePage*>(window.page(PageId::Cache));
  page->sizeCard().input().choose(28ULL << 30);
  camera.take(window, QStringLiteral("cache-ram"));
  page->sizeCard().input().choose(60ULL << 30);
  console.engine.advice.curves.clear();
  console.feed.refreshAdvice();
  camera.take(window, QStringLiteral("cache-too-large"));
  window.resize(window.minimumSize());
  camera.take(window, QStringLiteral("cache-too-large-small"));
  WriteModeDialog dialog("lab1", protocol::WriteMode::Safe, nullptr);
  dialog.show();
  camera.take(dialog, QStringLiteral("dialog-write-mode"));
  dialog.form()->setMode(protocol::WriteMode::Ram);
  camera.take(dialog, QStringLiteral("dialog-write-mode-ram"));
}

void typeInto(QWidget& parent, const QString& accessibleName, const QString& text) {
  for (QLineEdit* edit : parent.findChildren<QLineEdit*>()) {
    if (edit->accessibleName() == accessibleName && edit->isVisible()) edit->setText(text);
  }
}

void takeWizard(Camera& camera) {
  ConsoleFixture console;
  console.process.check = {.path = {},
                           .ok = true,
                           .checks = {{QStringLiteral("folder"), true, QStringLiteral("The folder exists and is empty.")},
                                      {QStringLiteral("writable"), true, QStringLiteral("It can be written.")},
                                      {QStringLiteral("hole-punching"), true, QStringLiteral("The file system (ext4) punches holes of 4 KiB.")},
                                      {QStringLiteral("speed"), true, QStringLiteral("The disk writes 1.21 GiB/s.")}},
                           .freeBytes = 1800ULL << 30,
                           .diskBytes = 2000ULL << 30,
                           .cacheRoom = {.machineBytes = 64ULL << 30,
                                         .availableBytes = 41ULL << 30,
                                         .bytesMin = 1ULL << 28,
                                         .bytesMax = 48ULL << 30,
                                         .bytes = 16ULL << 30}};
  console.engine.cache = makeDemoData(1).cache;
  const auto serves = [](const QString&, int) { return QtFuture::makeReadyFuture(Result<QString>(QStringLiteral("NFS answered after 2 ms."))); };
  console.engine.engineStatus = makeDemoData(1).status;
  SetupWizard window(console.context(), serves);
  SetupWizard* wizard = &window;
  window.resize(1440, 900);
  window.show();
  camera.take(window, QStringLiteral("wizard-1-engine"));
  wizard->nextButton()->click();
  wizard->storeStep()->setFolder(QStringLiteral("/srv/quarry"));
  QTest::qWait(1000);
  camera.take(window, QStringLiteral("wizard-2-store"));
  wizard->nextButton()->click();
  typeInto(*wizard, QStringLiteral("Name"), QStringLiteral("vs servers"));
  camera.take(window, QStringLiteral("wizard-3-vstorage-wrong"));
  typeInto(*wizard, QStringLiteral("Name"), QStringLiteral("vs-servers"));
  typeInto(*wizard, QStringLiteral("Hosts that may mount it"), QStringLiteral("10.0.0.0/24"));
  camera.take(window, QStringLiteral("wizard-3-vstorage"));
  wizard->nextButton()->click();
  camera.take(window, QStringLiteral("wizard-4-cache"));
  wizard->findChild<GibBox*>()->setValue(90);
  wizard->findChild<WriteModeForm*>()->setMode(protocol::WriteMode::Ram);
  camera.take(window, QStringLiteral("wizard-4-cache-wrong"));
  wizard->findChild<GibBox*>()->setValue(20);
  wizard->nextButton()->click();
  camera.take(window, QStringLiteral("wizard-5-dedup"));
  wizard->nextButton()->click();
  camera.take(window, QStringLiteral("wizard-6-summary"));
  console.process.startFailure = Error{ErrorCode::Locked, "another engine (process 4711) owns the store /srv/quarry"};
  wizard->nextButton()->click();
  QTest::qWait(300);
  camera.take(window, QStringLiteral("wizard-7-progress-failed"));
  console.process.startFailure.reset();
  wizard->nextButton()->click();
  QTest::qWait(300);
  camera.take(window, QStringLiteral("wizard-7-progress"));
  console.process.check.existingStore = true;
  SetupWizard again(console.context(), serves);
  again.resize(900, 560);
  again.show();
  camera.take(again, QStringLiteral("wizard-1-engine-small"));
  again.nextButton()->click();
  again.storeStep()->setFolder(QStringLiteral("/srv/quarry"));
  QTest::qWait(1000);
  again.nextButton()->click();
  camera.take(again, QStringLiteral("wizard-3-vstorage-small"));
  for (OptionCard* card : again.findChildren<OptionCard*>()) {
    if (card->text() == QStringLiteral("Create another one")) card->setChecked(true);
  }
  typeInto(again, QStringLiteral("Name"), QStringLiteral("vs-more"));
  again.nextButton()->click();
  camera.take(again, QStringLiteral("wizard-4-cache-small"));
}

}  // namespace

}  // namespace quarry::test

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  if (argc < 2) {
    std::fprintf(stderr, "usage: console_screenshots OUTDIR [light|dark]\n");
    return 2;
  }
  if (QFontDatabase::families().contains(QStringLiteral("Inter"))) application.setFont(QFont(QStringLiteral("Inter")));
  quarry::Theme theme(application);
  QDir().mkpath(QString::fromLocal8Bit(argv[1]));
  const QString only = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QString();
  for (const auto choice : {quarry::ThemeChoice::Light, quarry::ThemeChoice::Dark}) {
    if (!only.isEmpty() && only != quarry::themeName(choice)) continue;
    theme.choose(choice);
    quarry::test::Camera camera(QDir(QString::fromLocal8Bit(argv[1])), QStringLiteral("-") + quarry::themeName(choice));
    quarry::test::takeFull(camera, theme);
    quarry::test::takeSmall(camera, theme);
    quarry::test::takeEmpty(camera, theme);
    quarry::test::takeCache(camera, theme);
    quarry::test::takeWizard(camera);
    quarry::test::takeTrouble(camera, theme);
  }
  return 0;
}
