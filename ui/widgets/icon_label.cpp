// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/icon_label.h"

#include <QPainter>

namespace quarry {

IconLabel::IconLabel(Icon icon, ColorRole role, int size, QWidget* parent) : QWidget(parent), m_icon(icon), m_role(role) {
  setFixedSize(size, size);
}

void IconLabel::set(Icon icon, ColorRole role) {
  m_icon = icon;
  m_role = role;
  update();
}

void IconLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawPixmap(0, 0, iconPixmap(m_icon, m_role, width(), devicePixelRatioF()));
}

}  // namespace quarry
