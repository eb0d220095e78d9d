// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_header.h"

#include <QFontMetrics>
#include <QPainter>

#include "ui/delegates/cell_delegate.h"
#include "ui/theme/colors.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {

constexpr int arrowRoom = 12;

void drawArrow(QPainter& painter, const QPointF& centre, Qt::SortOrder order) {
  const qreal tip = order == Qt::AscendingOrder ? -2 : 2;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color(ColorRole::Dim), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(QPolygonF{centre + QPointF(-3.5, -tip), centre + QPointF(0, tip), centre + QPointF(3.5, -tip)});
}

}  // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
  setMinimumSectionSize(40);
  setFixedHeight(metrics::rowHeight);
}

int TableHeader::titleWidth(int section) const {
  const QString title = model()->headerData(section, Qt::Horizontal).toString();
  return QFontMetrics(fontFor(TextStyle::CardTitle)).horizontalAdvance(title) + 2 * CellDelegate::padding + 1;
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
  painter->save();
  painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), color(ColorRole::Line));
  painter->setFont(fontFor(TextStyle::CardTitle));
  painter->setPen(color(ColorRole::Dim));
  const bool right = Qt::Alignment(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt()).testFlag(Qt::AlignRight);
  const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  const QRect words = rect.adjusted(CellDelegate::padding, 0, -CellDelegate::padding, 0);
  const QFontMetrics fontMetrics(painter->font());
  const QString title = fontMetrics.elidedText(model()->headerData(section, Qt::Horizontal).toString(), Qt::ElideRight, words.width());
  painter->drawText(words, int(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft)), title);
  if (sorted) {
    const int titleEnd = fontMetrics.horizontalAdvance(title);
    const qreal x = right ? words.right() - titleEnd - arrowRoom / 2.0 : words.left() + titleEnd + arrowRoom / 2.0 + 2;
    drawArrow(*painter, {x, words.center().y() + 1.0}, sortIndicatorOrder());
  }
  painter->restore();
}

}  // namespace quarry
