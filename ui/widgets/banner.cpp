// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "ui/theme/icons.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

Banner::Banner(QWidget* parent) : QFrame(parent), m_text(makeLabel({}, TextStyle::Body)), m_action(new QPushButton(tr("Retry now"))) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(metrics::pageMargin + metrics::iconSize + 8, 6, metrics::pageMargin, 6);
  m_text->setWordWrap(true);
  row->addWidget(m_text, 1);
  row->addWidget(m_action);
  connect(m_action, &QPushButton::clicked, this, &Banner::actionTriggered);
  hide();
}

void Banner::display(ColorRole role, const QString& text, const QString& action) {
  m_role = role;
  m_text->setText(text);
  m_action->setText(action);
  m_action->setVisible(!action.isEmpty());
  setAccessibleName(text);
  show();
  update();
}

QString Banner::text() const { return isHidden() ? QString() : m_text->text(); }

void Banner::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), tint(m_role));
  painter.fillRect(QRect(0, 0, 3, height()), color(m_role));
  painter.fillRect(QRect(0, height() - 1, width(), 1), color(ColorRole::Line));
  const Icon shape = m_role == ColorRole::Bad ? Icon::Error : Icon::Warning;
  painter.drawPixmap(metrics::pageMargin, (height() - metrics::iconSize) / 2,
                     iconPixmap(shape, m_role, metrics::iconSize, devicePixelRatioF()));
}

}  // namespace quarry
