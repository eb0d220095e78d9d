// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/badge.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/typography.h"

namespace quarry {

namespace {

constexpr qreal padding = 8, pillHeight = 18;

QFont badgeFont() {
  QFont font = fontFor(TextStyle::CardTitle);
  font.setPixelSize(11);
  return font;
}

}  // namespace

Badge::Badge(const QString& text, ColorRole role, QWidget* parent) : QWidget(parent), m_text(text), m_role(role) {
  setAccessibleName(text);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::set(const QString& text, ColorRole role) {
  m_text = text;
  m_role = role;
  setAccessibleName(text);
  updateGeometry();
  update();
}

QSize Badge::sizeHint() const {
  return {int(std::ceil(QFontMetricsF(badgeFont()).horizontalAdvance(m_text) + 2 * padding)), int(pillHeight)};
}

void Badge::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  drawBadge(painter, rect(), m_text, m_role);
}

void drawBadge(QPainter& painter, const QRectF& rect, const QString& text, ColorRole role) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(badgeFont());
  const QFontMetricsF fontMetrics(painter.font());
  const qreal width = std::min(fontMetrics.horizontalAdvance(text) + 2 * padding, rect.width());
  const QRectF pill(rect.left(), rect.center().y() - pillHeight / 2, width, pillHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(role == ColorRole::Dim ? color(ColorRole::Field) : tint(role));
  painter.drawRoundedRect(pill, pillHeight / 2, pillHeight / 2);
  painter.setPen(color(role));
  painter.drawText(pill, Qt::AlignCenter, fontMetrics.elidedText(text, Qt::ElideRight, width - 2 * padding + 1));
  painter.restore();
}

}  // namespace quarry
