// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigation.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/navigation_button.h"
#include "ui/widgets/status_dot.h"

namespace quarry {

namespace {

Icon iconOf(PageId page) {
  switch (page) {
    case PageId::Dashboard: return Icon::Dashboard;
    case PageId::Vstorages: return Icon::Vstorage;
    case PageId::Vms: return Icon::Vm;
    case PageId::Dedup: return Icon::Dedup;
    case PageId::Cache: return Icon::Cache;
    case PageId::Events: return Icon::Events;
    case PageId::Settings: return Icon::Settings;
  }
  return Icon::Dashboard;
}

}  // namespace

Navigation::Navigation(QWidget* parent)
    : QFrame(parent),
      m_buttons(new QButtonGroup(this)),
      m_column(new QVBoxLayout),
      m_brand(makeLabel(tr("Quarry"), TextStyle::SectionTitle)),
      m_dot(new StatusDot),
      m_engine(new ElidedLabel(TextStyle::Caption, Tone::Dim)) {
  setObjectName(QStringLiteral("navigation"));
  setFixedWidth(metrics::navigationWidth);
  setAccessibleName(tr("Pages"));
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(8, 16, 8, 16);
  whole->setSpacing(0);
  auto* brand = new QHBoxLayout;
  brand->setContentsMargins(11, 0, 0, 0);
  brand->setSpacing(7);
  auto* logo = new QLabel;
  logo->setPixmap(applicationIcon().pixmap(QSize(20, 20), devicePixelRatioF()));
  brand->addWidget(logo);
  brand->addWidget(m_brand, 1);
  whole->addLayout(brand);
  whole->addSpacing(14);
  m_column->setSpacing(2);
  whole->addLayout(m_column);
  whole->addStretch();
  auto* engine = new QHBoxLayout;
  engine->setContentsMargins(12, 0, 4, 0);
  engine->setSpacing(8);
  engine->addWidget(m_dot);
  engine->addWidget(m_engine, 1);
  whole->addLayout(engine);
  connect(m_buttons, &QButtonGroup::idClicked, this, [this](int id) { Q_EMIT chosen(PageId(id)); });
}

void Navigation::addPage(const Page& page) {
  auto* button = new NavigationButton(iconOf(page.id()), page.title());
  button->setToolTip(tr("%1 (Ctrl+%2)").arg(page.title()).arg(int(page.id()) + 1));
  m_buttons->addButton(button, int(page.id()));
  m_column->addWidget(button);
}

void Navigation::setCurrent(PageId page) {
  if (QAbstractButton* button = m_buttons->button(int(page))) button->setChecked(true);
}

// The tooltips say what the icons mean.
void Navigation::setCompact(bool compact) {
  setFixedWidth(compact ? metrics::compactNavigationWidth : metrics::navigationWidth);
  m_brand->setVisible(!compact);
  m_engine->setVisible(!compact);
}

void Navigation::setEngine(EngineApi::Connection connection, const QString& text) {
  switch (connection) {
    case EngineApi::Connection::Connected:
      m_dot->setRole(ColorRole::Good);
      m_engine->setText(text.isEmpty() ? tr("Engine connected") : tr("Engine: %1").arg(text));
      break;
    case EngineApi::Connection::Connecting:
      m_dot->setRole(ColorRole::Warning);
      m_engine->setText(tr("Connecting…"));
      break;
    case EngineApi::Connection::Lost:
      m_dot->setRole(ColorRole::Bad);
      m_engine->setText(tr("Engine not reached"));
      break;
    case EngineApi::Connection::Incompatible:
      m_dot->setRole(ColorRole::Bad);
      m_engine->setText(tr("Engine incompatible"));
      break;
  }
  m_dot->setToolTip(m_engine->text());
}

}  // namespace quarry
