// SPDX-License-Identifier: GPL-3.0-or-later
// How a cell of a DataTable is painted: background, line, text; elided text shows whole in a tooltip. Others derive and paint their
// own content. GUI thread only.
#pragma once

#include <QStyledItemDelegate>

namespace quarry {

class DataTable;

class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  static constexpr int padding = 10;

  explicit CellDelegate(DataTable* table);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) override;

 protected:
  virtual void paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const;
  void paintText(QPainter& painter, const QRectF& rect, const QModelIndex& index) const;

 private:
  DataTable* m_table;
};

// Text of secondary rank.
class DimDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const override;
};

}  // namespace quarry
