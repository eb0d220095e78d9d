// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/legend.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/theme/typography.h"

namespace quarry {

namespace {
QString textOf(const LegendKey& key, Legend::Detail detail) {
  return detail == Legend::Detail::Values && !key.value.isEmpty() ? key.name + u' ' + key.value : key.name;
}

constexpr int dashWidth = 10, dashGap = 6, keyGap = 12, legendHeight = 18;
}  // namespace

Legend::Legend(Qt::Alignment side, QWidget* parent) : QWidget(parent), m_side(side) {
  setFont(fontFor(TextStyle::Caption));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Legend::setKeys(const QList<LegendKey>& keys) {
  if (keys == m_keys) return;
  const QSize before = sizeHint();
  m_keys = keys;
  QStringList words;
  for (const LegendKey& key : keys) words << textOf(key, Detail::Values);
  setAccessibleName(words.join(QStringLiteral(", ")));
  if (sizeHint() != before) updateGeometry();
  update();
}

int Legend::widthFor(Detail detail) const {
  qreal width = 0;
  for (const LegendKey& key : m_keys) width += dashWidth + dashGap + numberWidth(font(), textOf(key, detail)) + 1 + keyGap;
  return int(std::ceil(width)) - (m_keys.isEmpty() ? 0 : keyGap) + 1;
}

QSize Legend::sizeHint() const { return {widthFor(Detail::Values), legendHeight}; }

QSize Legend::minimumSizeHint() const { return {40, legendHeight}; }

void Legend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
  const Detail detail = width() >= widthFor(Detail::Values) ? Detail::Values : Detail::Names;
  qreal x = m_side.testFlag(Qt::AlignRight) ? std::max(0, width() - widthFor(detail)) : 0;
  for (const LegendKey& key : m_keys) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(key.role));
    painter.drawRoundedRect(QRectF(x, height() / 2.0 - 1.5, dashWidth, 3), 1.5, 1.5);
    x += dashWidth + dashGap;
    painter.setPen(color(ColorRole::Dim));
    const qreal textWidth = std::min(numberWidth(font(), textOf(key, detail)) + 1, qreal(this->width()) - x);
    drawNumber(painter, QRectF(x, 0, textWidth, height()), Qt::AlignLeft, textOf(key, detail));
    x += textWidth + keyGap;
  }
}

}  // namespace quarry
