// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/bar.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace quarry {

Bar::Bar(ColorRole role, QWidget* parent) : QWidget(parent), m_role(role) {
  setFixedHeight(8);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Bar::setShare(double share) {
  if (share == m_share) return;
  m_share = share;
  setAccessibleName(share < 0 ? tr("unknown") : tr("%1 percent").arg(int(share * 100)));
  update();
}

void Bar::setRole(ColorRole role) {
  m_role = role;
  update();
}

void Bar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  drawBar(painter, rect(), m_share, m_role);
}

void drawBar(QPainter& painter, const QRectF& rect, double share, ColorRole role) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath outline;
  outline.addRoundedRect(rect, rect.height() / 2, rect.height() / 2);
  painter.setClipPath(outline);
  painter.fillRect(rect, color(ColorRole::Hover));
  if (share > 0) painter.fillRect(QRectF(rect.left(), rect.top(), rect.width() * std::min(share, 1.0), rect.height()), color(role));
  painter.restore();
}

}  // namespace quarry
