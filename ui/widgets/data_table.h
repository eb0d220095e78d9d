// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all pages: rows 30 high, one-pixel lines, numbers right with digits of one width, whole rows selected, sorted by the raw
// values (SortRole) of the model given to it. Which columns are seen and how wide is a list of ColumnLook. GUI thread only.
#pragma once

#include <QList>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace quarry {

class TableHeader;

struct ColumnLook {
  int column;
  int width;                // 0: shares what is left
  int minimumWidth = 80;    // of a column that shares
  int leastTableWidth = 0;  // a narrower table leaves the column out
};

class DataTable : public QTableView {
  Q_OBJECT

 public:
  explicit DataTable(const QString& accessibleName, QWidget* parent = nullptr);

  // Does not own the model. Columns not in the list are hidden.
  void showModel(QAbstractItemModel* model, const QList<ColumnLook>& columns);
  void setText(const QString& whenEmpty);
  int heightForRows(int rows) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void shareWidth();

  TableHeader* m_header;
  QList<ColumnLook> m_columns;
  QString m_whenEmpty;
  int m_hoveredRow = -1;
  friend class CellDelegate;
};

}  // namespace quarry
