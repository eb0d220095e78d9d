// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/cell_delegate.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/theme/colors.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"
#include "ui/widgets/data_table.h"

namespace quarry {

CellDelegate::CellDelegate(DataTable* table) : QStyledItemDelegate(table), m_table(table) {}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  if (selected) {
    painter->fillRect(option.rect, color(ColorRole::Hover));
  } else if (index.row() == m_table->m_hoveredRow) {
    painter->fillRect(option.rect, color(ColorRole::Background));
  }
  painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), color(ColorRole::Line));
  if (selected && m_table->hasFocus() && m_table->columnViewportPosition(index.column()) <= 0) {
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), color(ColorRole::Accent));
  }
  painter->setFont(fontFor(TextStyle::Body));
  painter->setPen(color(ColorRole::Text));
  paintContent(*painter, QRectF(option.rect).adjusted(padding, 0, -padding, -1), index);
  painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  return {int(numberWidth(fontFor(TextStyle::Body), index.data().toString())) + 2 * padding + 1, metrics::rowHeight};
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView*, const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (event->type() != QEvent::ToolTip) return false;
  const QString text = index.data().toString();
  const QString given = index.data(Qt::ToolTipRole).toString();
  const bool elided = numberWidth(fontFor(TextStyle::Body), text) > option.rect.width() - 2 * padding;
  QToolTip::showText(event->globalPos(), !given.isEmpty() ? given : elided ? text : QString(), m_table);
  return true;
}

void CellDelegate::paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const { paintText(painter, rect, index); }

void CellDelegate::paintText(QPainter& painter, const QRectF& rect, const QModelIndex& index) const {
  const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
  drawNumber(painter, rect, alignment.testFlag(Qt::AlignRight) ? Qt::AlignRight : Qt::AlignLeft, index.data().toString());
}

void DimDelegate::paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const {
  painter.setPen(color(ColorRole::Dim));
  paintText(painter, rect, index);
}

}  // namespace quarry
