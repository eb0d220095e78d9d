// SPDX-License-Identifier: GPL-3.0-or-later
// Base of the table models: a vector of rows with unique keys, changed by exact inserts, removes and dataChanged; never a reset, so
// that selections and scroll positions survive a refresh. GUI thread only. Derived supplies key(const Row&) and compares with ==.
#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <QString>
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace quarry {

template <class Row>
class RowModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
  const std::vector<Row>& rows() const { return m_rows; }
  int rowOf(const QString& wanted) const {
    for (size_t i = 0; i < m_rows.size(); ++i)
      if (key(m_rows[i]) == wanted) return static_cast<int>(i);
    return -1;
  }

 protected:
  virtual QString key(const Row& row) const = 0;

  // Rows that stay keep their place; new ones are appended in the order given. A key that is given twice counts once.
  void replaceRows(std::vector<Row> next) {
    QHash<QString, size_t> places;
    for (size_t i = 0; i < next.size(); ++i)
      if (const QString name = key(next[i]); !places.contains(name)) places.insert(name, i);
    removeRowsNotIn(places);
    QSet<QString> known;
    for (const Row& row : m_rows) known.insert(key(row));
    updateRows(places, next);
    std::vector<Row> added;
    for (size_t i = 0; i < next.size(); ++i) {
      const QString name = key(next[i]);
      if (known.contains(name)) continue;
      known.insert(name);
      added.push_back(std::move(next[i]));
    }
    appendRows(std::move(added));
  }

  // Changes the row with the same key or appends it.
  void putRow(Row row) {
    const int at = rowOf(key(row));
    if (at < 0) {
      std::vector<Row> added;
      added.push_back(std::move(row));
      appendRows(std::move(added));
    } else if (!(m_rows[static_cast<size_t>(at)] == row)) {
      m_rows[static_cast<size_t>(at)] = std::move(row);
      rowsChanged(at, at);
    }
  }

  void removeRange(int first, int count) {
    if (count <= 0) return;
    beginRemoveRows({}, first, first + count - 1);
    m_rows.erase(m_rows.begin() + first, m_rows.begin() + first + count);
    endRemoveRows();
  }

  void rowsChanged(int first, int last) { Q_EMIT this->dataChanged(this->index(first, 0), this->index(last, this->columnCount() - 1)); }

  // One signal per stretch of neighbouring rows.
  void rowsChanged(std::vector<int> changed, int firstColumn, int lastColumn) {
    std::sort(changed.begin(), changed.end());
    for (size_t i = 0; i < changed.size();) {
      size_t end = i + 1;
      while (end < changed.size() && changed[end] <= changed[end - 1] + 1) ++end;
      Q_EMIT this->dataChanged(this->index(changed[i], firstColumn), this->index(changed[end - 1], lastColumn));
      i = end;
    }
  }

  std::vector<Row>& mutableRows() { return m_rows; }

 private:
  void removeRowsNotIn(const QHash<QString, size_t>& places) {
    int last = static_cast<int>(m_rows.size()) - 1;
    while (last >= 0) {
      if (places.contains(key(m_rows[static_cast<size_t>(last)]))) {
        --last;
        continue;
      }
      int first = last;
      while (first > 0 && !places.contains(key(m_rows[static_cast<size_t>(first - 1)]))) --first;
      removeRange(first, last - first + 1);
      last = first - 1;
    }
  }

  void updateRows(const QHash<QString, size_t>& places, const std::vector<Row>& next) {
    int firstChanged = -1;
    const int count = static_cast<int>(m_rows.size());
    for (int i = 0; i < count; ++i) {
      Row& row = m_rows[static_cast<size_t>(i)];
      const Row& wanted = next[places.value(key(row))];
      const bool changed = !(row == wanted);
      if (changed) row = wanted;
      if (changed && firstChanged < 0) firstChanged = i;
      if (!changed && firstChanged >= 0) rowsChanged(std::exchange(firstChanged, -1), i - 1);
    }
    if (firstChanged >= 0) rowsChanged(firstChanged, count - 1);
  }

  void appendRows(std::vector<Row> added) {
    if (added.empty()) return;
    const int first = static_cast<int>(m_rows.size());
    beginInsertRows({}, first, first + static_cast<int>(added.size()) - 1);
    std::move(added.begin(), added.end(), std::back_inserter(m_rows));
    endInsertRows();
  }

  std::vector<Row> m_rows;
};

}  // namespace quarry
