// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/legend.h"

#include <QPainter>
#include <QStringList>
#include <cmath>

#include "ui/theme/typography.h"

namespace quarry {

namespace {
constexpr int dashWidth = 10, dashGap = 6, keyGap = 12, legendHeight = 18;
}

Legend::Legend(QWidget* parent) : QWidget(parent) {
  setFont(fontFor(TextStyle::Caption));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Legend::setKeys(const QList<LegendKey>& keys) {
  if (keys == m_keys) return;
  const QSize before = sizeHint();
  m_keys = keys;
  QStringList words;
  for (const LegendKey& key : keys) words << key.text;
  setAccessibleName(words.join(QStringLiteral(", ")));
  if (sizeHint() != before) updateGeometry();
  update();
}

QSize Legend::sizeHint() const {
  qreal width = 0;
  for (const LegendKey& key : m_keys) width += dashWidth + dashGap + numberWidth(font(), key.text) + keyGap;
  return {int(std::ceil(width)) - (m_keys.isEmpty() ? 0 : keyGap) + 1, legendHeight};
}

QSize Legend::minimumSizeHint() const { return {40, legendHeight}; }

void Legend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
  qreal x = 0;
  for (const LegendKey& key : m_keys) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(key.role));
    painter.drawRoundedRect(QRectF(x, height() / 2.0 - 1.5, dashWidth, 3), 1.5, 1.5);
    x += dashWidth + dashGap;
    painter.setPen(color(ColorRole::Dim));
    const qreal textWidth = std::min(numberWidth(font(), key.text) + 1, qreal(this->width()) - x);
    drawNumber(painter, QRectF(x, 0, textWidth, height()), Qt::AlignLeft, key.text);
    x += textWidth + keyGap;
  }
}

}  // namespace quarry
