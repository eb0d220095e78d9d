// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/savings_bar.h"

#include <QPainter>
#include <QPainterPath>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/formatter.h"
#include "ui/theme/colors.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {

constexpr int barHeight = 20, tableGap = 8, shareColumn = 48;

struct Part {
  QString name;
  ColorRole role;
  uint64_t bytes;
};

std::array<Part, 4> partsOf(const protocol::Savings& savings) {
  return {{{SavingsBar::tr("Zero"), ColorRole::Zero, savings.zeroBytes},
           {SavingsBar::tr("Duplicate"), ColorRole::Duplicate, savings.duplicateBytes},
           {SavingsBar::tr("Compressed away"), ColorRole::Compressed, savings.compressedAwayBytes},
           {SavingsBar::tr("Stored"), ColorRole::Stored, savings.storedBytes}}};
}

double shareOf(uint64_t part, uint64_t whole) { return whole == 0 ? 0 : double(part) / double(whole); }

}  // namespace

SavingsBar::SavingsBar(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void SavingsBar::setSavings(const protocol::Savings& savings) {
  m_savings = savings;
  m_known = true;
  QStringList words;
  for (const Part& part : partsOf(savings)) words << part.name + u' ' + formatter::bytes(part.bytes);
  setAccessibleName(words.join(QStringLiteral(", ")));
  update();
}

QSize SavingsBar::sizeHint() const { return {240, barHeight + tableGap + 4 * metrics::rowHeight}; }

QSize SavingsBar::minimumSizeHint() const { return {220, sizeHint().height()}; }

void SavingsBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintBar(painter);
  paintTable(painter);
}

void SavingsBar::paintBar(QPainter& painter) const {
  const QRectF bar(0, 0, width(), barHeight);
  painter.save();
  QPainterPath outline;
  outline.addRoundedRect(bar, 4, 4);
  painter.setClipPath(outline);
  painter.fillRect(bar, color(ColorRole::Field));
  qreal x = 0;
  for (const Part& part : partsOf(m_savings)) {
    if (part.bytes == 0) continue;
    const qreal partWidth = std::max(2.0, bar.width() * shareOf(part.bytes, m_savings.logicalBytes));
    if (x > 0) x += 1;
    painter.fillRect(QRectF(x, 0, partWidth - (x > 0 ? 1 : 0), bar.height()), color(part.role));
    x += partWidth - (x > 0 ? 1 : 0);
  }
  painter.restore();
}

void SavingsBar::paintTable(QPainter& painter) const {
  painter.setFont(fontFor(TextStyle::Body));
  qreal y = barHeight + tableGap;
  for (const Part& part : partsOf(m_savings)) {
    const QRectF row(0, y, width(), metrics::rowHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(part.role));
    painter.drawRoundedRect(QRectF(2, row.center().y() - 5, 10, 10), 2, 2);
    painter.setPen(color(ColorRole::Text));
    drawNumber(painter, row.adjusted(20, 0, -shareColumn - 80, 0), Qt::AlignLeft, part.name);
    drawNumber(painter, row.adjusted(120, 0, -shareColumn, 0), Qt::AlignRight,
               m_known ? formatter::bytes(part.bytes) : QStringLiteral("–"));
    const QString share = m_savings.logicalBytes == 0
                              ? QStringLiteral("–")
                              : formatter::percent(std::round(100 * shareOf(part.bytes, m_savings.logicalBytes)) / 100);
    drawNumber(painter, row.adjusted(120, 0, 0, 0), Qt::AlignRight, share);
    y += metrics::rowHeight;
    if (part.role == ColorRole::Stored) break;
    painter.fillRect(QRectF(0, y - 1, width(), 1), color(ColorRole::Line));
  }
}

}  // namespace quarry
