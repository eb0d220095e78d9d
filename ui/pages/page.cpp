// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page.h"

#include <QStackedLayout>

#include "app/format/error_text.h"
#include "app/models/model_feed.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/veil.h"

namespace quarry {

Page::Page(PageId id, const QString& title, const ConsoleContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_id(id),
      m_title(title),
      m_stack(new QStackedLayout(this)),
      m_content(new QWidget),
      m_veil(new Veil(this)) {
  setAccessibleName(title);
  m_stack->setContentsMargins(0, 0, 0, 0);
  m_stack->addWidget(m_content);
  m_veil->hide();
}

void Page::setDimmed(bool dimmed) {
  m_veil->setVisible(dimmed);
  m_veil->setGeometry(rect());
  m_veil->raise();
}

bool Page::isEmptyShown() const { return m_emptyState != nullptr && m_stack->currentWidget() == m_emptyState; }

void Page::setEmptyState(EmptyState* state) {
  m_emptyState = state;
  m_stack->addWidget(state);
}

void Page::showEmpty(bool empty) {
  if (m_emptyState == nullptr) return;
  m_stack->setCurrentWidget(empty ? static_cast<QWidget*>(m_emptyState) : m_content);
  if (!m_veil->isHidden()) m_veil->raise();
}

void Page::reportFailure(const QString& title, const Error& error) { Q_EMIT notified(protocol::Severity::Error, title, errorText(error)); }

void Page::reportUnseen(const QWidget* dialog, const QString& title, const Error& error) {
  if (dialog == nullptr || !dialog->isVisible()) reportFailure(title, error);
}

void Page::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_context.feed.watch(m_title, watchedPrefixes());
}

void Page::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_context.feed.watch(m_title, {});
}

void Page::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_veil->setGeometry(rect());
}

}  // namespace quarry
