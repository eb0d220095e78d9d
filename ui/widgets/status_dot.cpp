// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/status_dot.h"

#include <QPainter>

namespace quarry {

StatusDot::StatusDot(QWidget* parent) : QWidget(parent) { setFixedSize(8, 8); }

void StatusDot::setRole(ColorRole role) {
  m_role = role;
  update();
}

void StatusDot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color(m_role));
  painter.drawEllipse(rect());
}

}  // namespace quarry
