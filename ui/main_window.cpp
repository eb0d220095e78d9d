// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QResizeEvent>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "app/client/engine_process.h"
#include "app/format/error_text.h"
#include "app/models/model_feed.h"
#include "app/settings/settings.h"
#include "ui/banner_words.h"
#include "ui/navigation.h"
#include "ui/page_header.h"
#include "ui/pages/cache_page.h"
#include "ui/pages/dashboard_page.h"
#include "ui/pages/dedup_page.h"
#include "ui/pages/events_page.h"
#include "ui/pages/settings_page.h"
#include "ui/pages/vms_page.h"
#include "ui/pages/vstorages_page.h"
#include "ui/status_line.h"
#include "ui/theme/metrics.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notification_list.h"
#include "ui/wizard/setup_wizard.h"

namespace quarry {

MainWindow::MainWindow(const ConsoleContext& context, Theme& theme, QWidget* parent)
    : QMainWindow(parent),
      m_context(context),
      m_theme(theme),
      m_root(new QStackedWidget),
      m_navigation(new Navigation),
      m_header(new PageHeader),
      m_banner(new Banner),
      m_place(new QStackedWidget),
      m_pages(new QStackedWidget),
      m_notSetUp(new EmptyState(Icon::Vstorage, tr("Quarry is not set up on this machine yet"),
                                tr("The setup asks where the data shall be kept and what your hosts shall mount, then starts the engine."),
                                tr("&Set up…"))),
      m_statusLine(new StatusLine(context)),
      m_notifications(nullptr) {
  setWindowTitle(tr("Quarry"));
  setWindowIcon(applicationIcon());
  setMinimumSize(900, 560);
  resize(1440, 900);
  m_root->addWidget(makeConsole());
  setCentralWidget(m_root);
  m_notifications = new NotificationList(m_root);
  for (Page* page : std::initializer_list<Page*>{new DashboardPage(context), new VstoragesPage(context), new VmsPage(context),
                                                 new DedupPage(context), new CachePage(context), new EventsPage(context), new SettingsPage(context, theme)}) {
    addPage(page);
  }
  addShortcuts();
  connect(m_navigation, &Navigation::chosen, this, &MainWindow::openPage);
  connect(&context.engine, &EngineApi::connectionChanged, this, &MainWindow::showConnection);
  connect(&context.process, &EngineProcess::stateChanged, this, &MainWindow::showBanner);
  connect(&context.feed, &ModelFeed::statusChanged, this, &MainWindow::showBanner);
  connect(&context.feed, &ModelFeed::refreshFailed, this, &MainWindow::onRefreshFailed);
  connect(m_notSetUp, &EmptyState::actionTriggered, this, &MainWindow::openSetup);
  connect(m_banner, &Banner::actionTriggered, this, &MainWindow::retryRequested);
  showConnection();
  restoreGeometry(context.settings.value(Setting::WindowGeometry).toByteArray());
  openPage(PageId::Dashboard);
}

QWidget* MainWindow::makeConsole() {
  auto* console = new QWidget;
  console->setObjectName(QStringLiteral("pageBackground"));
  auto* whole = new QHBoxLayout(console);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->setSpacing(0);
  whole->addWidget(m_navigation);
  auto* column = new QVBoxLayout;
  column->setSpacing(0);
  column->addWidget(m_header);
  column->addWidget(m_banner);
  m_place->addWidget(m_pages);
  m_place->addWidget(m_notSetUp);
  column->addWidget(m_place, 1);
  column->addWidget(m_statusLine);
  whole->addLayout(column, 1);
  return console;
}

void MainWindow::addPage(Page* page) {
  m_pages->addWidget(page);
  m_header->addPage(*page);
  m_navigation->addPage(*page);
  connect(page, &Page::notified, this, &MainWindow::onNotified);
  connect(page, &Page::pageRequested, this, &MainWindow::openPage);
  connect(page, &Page::setupWanted, this, &MainWindow::openSetup);
  connect(page, &Page::vmWanted, this, [this](const QString& vstorage, const QString& name) {
    openPage(PageId::Vms);
    static_cast<VmsPage*>(this->page(PageId::Vms))->select(vstorage, name);
  });
  connect(page, &Page::vstorageWanted, this, [this] {
    openPage(PageId::Vstorages);
    static_cast<VstoragesPage*>(this->page(PageId::Vstorages))->createVstorage();
  });
}

void MainWindow::addShortcuts() {
  for (int i = 0; i < m_pages->count(); ++i) {
    auto* shortcut = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)), this);
    connect(shortcut, &QShortcut::activated, this, [this, i] { openPage(PageId(i)); });
  }
  auto* refresh = new QShortcut(QKeySequence(Qt::Key_F5), this);
  connect(refresh, &QShortcut::activated, &m_context.feed, &ModelFeed::refresh);
}

Page* MainWindow::page(PageId page) const { return static_cast<Page*>(m_pages->widget(int(page))); }

PageId MainWindow::currentPage() const { return PageId(m_pages->currentIndex()); }

void MainWindow::openPage(PageId page) {
  if (isSetupOpen()) return;
  m_pages->setCurrentIndex(int(page));
  m_navigation->setCurrent(page);
  m_header->display(*this->page(page));
  showPlace();
  if (!m_navigation->isAncestorOf(focusWidget())) this->page(page)->setFocus();
}

void MainWindow::requireSetup() {
  m_setupDue = true;
  showConnection();
  openSetup();
}

void MainWindow::openSetup() {
  if (isSetupOpen()) return;
  auto* wizard = new SetupWizard(m_context);
  m_setup = wizard;
  m_root->addWidget(wizard);
  m_root->setCurrentWidget(wizard);
  connect(wizard, &SetupWizard::attachRequested, this, &MainWindow::attachRequested);
  connect(wizard, &SetupWizard::closed, this, &MainWindow::closeSetup);
  wizard->setFocus();
}

bool MainWindow::isSetupOpen() const { return m_setup != nullptr; }

void MainWindow::closeSetup() {
  m_root->setCurrentIndex(0);
  m_setup->deleteLater();
  m_setup = nullptr;
  m_context.feed.refresh();
  openPage(PageId::Dashboard);
}

void MainWindow::showConnection() {
  const EngineApi::Connection connection = m_context.engine.connection();
  m_navigation->setEngine(connection, m_context.engine.connectionText());
  if (connection == EngineApi::Connection::Connected) m_setupDue = false;
  showBanner();
  showPlace();
  for (int i = 0; i < m_pages->count(); ++i)
    page(PageId(i))->setDimmed(connection != EngineApi::Connection::Connected && PageId(i) != PageId::Settings);
}

void MainWindow::showBanner() {
  const auto words = m_setupDue ? std::nullopt : bannerWords(m_context);
  if (words)
    m_banner->display(words->role, words->text, words->action);
  else
    m_banner->hide();
}

// Before the first setup there is nothing that a page could show, except the settings.
void MainWindow::showPlace() {
  const bool nothing = m_setupDue && currentPage() != PageId::Settings;
  m_place->setCurrentWidget(nothing ? static_cast<QWidget*>(m_notSetUp) : m_pages);
  m_header->showActions(!nothing);
}

QString MainWindow::bannerText() const { return m_banner->text(); }

// Said once per kind of list until it succeeds again; a lost connection has its banner.
void MainWindow::onRefreshFailed(const Error& error, const QString& what) {
  if (error.code == ErrorCode::Disconnected) return;
  onNotified(protocol::Severity::Warning, tr("%1 cannot be brought up to date").arg(what), errorText(error));
}

void MainWindow::onNotified(protocol::Severity severity, const QString& title, const QString& text) {
  m_notifications->add(severity, title, text);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  m_navigation->setCompact(width() < metrics::compactBelow);
  QMainWindow::resizeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_context.settings.set(Setting::WindowGeometry, saveGeometry());
  QMainWindow::closeEvent(event);
}

}  // namespace quarry
