// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page_header.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>

#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

PageHeader::PageHeader(QWidget* parent) : QFrame(parent), m_title(makeLabel({}, TextStyle::PageTitle)), m_actions(new QStackedWidget) {
  setObjectName(QStringLiteral("pageHeader"));
  setFixedHeight(metrics::headerHeight);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(metrics::pageMargin, 0, metrics::pageMargin, 0);
  row->addWidget(m_title);
  row->addWidget(m_actions, 1);
  QSizePolicy keepsRoom = m_actions->sizePolicy();
  keepsRoom.setRetainSizeWhenHidden(true);
  m_actions->setSizePolicy(keepsRoom);
}

void PageHeader::addPage(const Page& page) {
  auto* actions = new QWidget;
  auto* row = new QHBoxLayout(actions);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addStretch();
  for (QWidget* widget : page.headerWidgets()) row->addWidget(widget);
  m_actions->addWidget(actions);
  m_byPage.insert(int(page.id()), actions);
}

void PageHeader::display(const Page& page) {
  m_title->setText(page.title());
  m_actions->setCurrentWidget(m_byPage.value(int(page.id())));
}

void PageHeader::showActions(bool shown) { m_actions->setVisible(shown); }

}  // namespace quarry
