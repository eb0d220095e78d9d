// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/data_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/delegates/cell_delegate.h"
#include "ui/theme/colors.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"
#include "ui/widgets/table_header.h"

namespace quarry {

DataTable::DataTable(const QString& accessibleName, QWidget* parent) : QTableView(parent), m_header(new TableHeader(this)) {
  setAccessibleName(accessibleName);
  setShowGrid(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setWordWrap(false);
  setMouseTracking(true);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollMode(ScrollPerPixel);
  setItemDelegate(new CellDelegate(this));
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setMinimumSectionSize(metrics::rowHeight);
  verticalHeader()->setDefaultSectionSize(metrics::rowHeight);
  setHorizontalHeader(m_header);
}

void DataTable::showModel(QAbstractItemModel* model, const QList<ColumnLook>& columns) {
  setModel(model);
  m_columns = columns;
  for (int column = 0; column < model->columnCount(); ++column) setColumnHidden(column, true);
  for (qsizetype i = 0; i < columns.size(); ++i) {
    setColumnHidden(columns[i].column, false);
    horizontalHeader()->moveSection(horizontalHeader()->visualIndex(columns[i].column), int(i));
  }
  shareWidth();
}

void DataTable::setText(const QString& whenEmpty) {
  m_whenEmpty = whenEmpty;
  viewport()->update();
}

int DataTable::heightForRows(int rows) const { return (rows + 1) * metrics::rowHeight; }

void DataTable::shareWidth() {
  int fixed = 0, sharing = 0;
  const auto widthOf = [this](const ColumnLook& look) { return std::max(look.width, m_header->titleWidth(look.column)); };
  for (const ColumnLook& look : m_columns) {
    setColumnHidden(look.column, viewport()->width() < look.leastTableWidth);
    if (isColumnHidden(look.column)) continue;
    if (look.width == 0) ++sharing;
    if (look.width > 0) fixed += widthOf(look);
  }
  const int rest = sharing == 0 ? 0 : (viewport()->width() - fixed) / sharing;
  for (const ColumnLook& look : m_columns) setColumnWidth(look.column, look.width > 0 ? widthOf(look) : std::max(rest, look.minimumWidth));
}

void DataTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  shareWidth();
}

void DataTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (m_whenEmpty.isEmpty() || model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setFont(fontFor(TextStyle::Body));
  painter.setPen(color(ColorRole::Dim));
  painter.drawText(viewport()->rect().adjusted(10, 8, -10, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_whenEmpty);
}

// Tab leaves the table; Home and End go to the first and last row.
void DataTable::keyPressEvent(QKeyEvent* event) {
  const int rows = model() == nullptr ? 0 : model()->rowCount();
  if (rows > 0 && (event->key() == Qt::Key_Home || event->key() == Qt::Key_End)) {
    selectRow(event->key() == Qt::Key_Home ? 0 : rows - 1);
    return;
  }
  QTableView::keyPressEvent(event);
}

void DataTable::mouseMoveEvent(QMouseEvent* event) {
  const int row = rowAt(int(event->position().y()));
  if (row != m_hoveredRow) {
    m_hoveredRow = row;
    viewport()->update();
  }
  QTableView::mouseMoveEvent(event);
}

void DataTable::leaveEvent(QEvent* event) {
  m_hoveredRow = -1;
  viewport()->update();
  QTableView::leaveEvent(event);
}

}  // namespace quarry
