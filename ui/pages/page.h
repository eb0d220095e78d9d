// SPDX-License-Identifier: GPL-3.0-or-later
// Base of the pages. A page shows models and asks the engine; it knows no other page and opens no socket. It has content, and an empty
// state for when there is nothing to show; while the engine is lost it keeps its last values, dimmed. While it is visible it watches
// the statistics named by watchedPrefixes(). GUI thread only.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "app/client/console_context.h"
#include "engine/base/result.h"
#include "engine/protocol/messages.h"
#include "ui/theme/icons.h"

class QStackedLayout;

namespace quarry {

class EmptyState;
class Veil;

enum class PageId { Dashboard, Vstorages, Vms, Dedup, Cache, Events, Settings };

class Page : public QWidget {
  Q_OBJECT

 public:
  Page(PageId id, const QString& title, const ConsoleContext& context, QWidget* parent = nullptr);

  PageId id() const { return m_id; }
  QString title() const { return m_title; }
  const QList<QWidget*>& headerWidgets() const { return m_headerWidgets; }  // for the window's header, left to right
  void setDimmed(bool dimmed);
  bool isEmptyShown() const;
  EmptyState* emptyState() { return m_emptyState; }

 Q_SIGNALS:
  void notified(quarry::protocol::Severity severity, const QString& title, const QString& text);
  void pageRequested(quarry::PageId page);
  void vmWanted(const QString& vstorage, const QString& name);  // the user wants to see this VM
  void vstorageWanted();  // the user wants to create a vstorage, wherever that is done
  void setupWanted();

 protected:
  QWidget* content() { return m_content; }
  void addToHeader(QWidget* widget) { m_headerWidgets.append(widget); }
  void setEmptyState(EmptyState* state);
  void showEmpty(bool empty);
  void reportFailure(const QString& title, const Error& error);
  // A failure that the dialog shows itself, unless it was closed before the reply.
  void reportUnseen(const QWidget* dialog, const QString& title, const Error& error);
  virtual QStringList watchedPrefixes() const { return {}; }

  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

  ConsoleContext m_context;

 private:
  PageId m_id;
  QString m_title;
  QList<QWidget*> m_headerWidgets;
  QStackedLayout* m_stack;
  QWidget* m_content;
  EmptyState* m_emptyState = nullptr;
  Veil* m_veil;
};

}  // namespace quarry
