// SPDX-License-Identifier: GPL-3.0-or-later
// The console's window: navigation, page header, pages, banner, status line and notifications; or the setup wizard in their place.
// Holds no data and asks the engine nothing itself. Everything in the context outlives it. GUI thread only.
#pragma once

#include <QMainWindow>
#include <QString>

#include "app/client/console_context.h"
#include "app/client/engine_api.h"
#include "engine/protocol/messages.h"
#include "ui/pages/page.h"

class QStackedWidget;

namespace quarry {

class Banner;
class EmptyState;
class Navigation;
class NotificationList;
class PageHeader;
class StatusLine;
class Theme;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow(const ConsoleContext& context, Theme& theme, QWidget* parent = nullptr);

  void openPage(PageId page);
  Page* page(PageId page) const;
  PageId currentPage() const;
  void openSetup();  // shows the wizard instead of the pages
  void requireSetup();  // nothing is set up yet: the wizard now, and a way to it on every page after it was cancelled
  bool isSetupOpen() const;
  QString bannerText() const;
  NotificationList& notifications() { return *m_notifications; }

 Q_SIGNALS:
  // The user wants the engine behind this control socket; whoever owns the EngineClient connects it.
  void attachRequested(const QString& controlSocket);
  void retryRequested();  // connect again now instead of waiting for the next try

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeConsole();
  void addPage(Page* page);
  void addShortcuts();
  void showConnection();
  void showBanner();
  void showPlace();
  void onRefreshFailed(const Error& error, const QString& what);
  void onNotified(protocol::Severity severity, const QString& title, const QString& text);
  void closeSetup();

  ConsoleContext m_context;
  Theme& m_theme;
  QStackedWidget* m_root;
  Navigation* m_navigation;
  PageHeader* m_header;
  Banner* m_banner;
  QStackedWidget* m_place;  // the pages, or what is said while nothing is set up
  QStackedWidget* m_pages;
  EmptyState* m_notSetUp;
  StatusLine* m_statusLine;
  NotificationList* m_notifications;
  QWidget* m_setup = nullptr;
  bool m_setupDue = false;
};

}  // namespace quarry
