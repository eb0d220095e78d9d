// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/stat_model.h"

#include <limits>

#include "app/format/formatter.h"
#include "app/models/cell.h"
#include "app/models/roles.h"

namespace quarry {

int StatModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant StatModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const StatRow& row = rows()[static_cast<size_t>(index.row())];
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return display(row, column);
    case Qt::ToolTipRole: return QString::fromStdString(row.description.text);
    case Qt::TextAlignmentRole: return column == Column::Value ? cell::numberAlignment() : cell::textAlignment();
    case SortRole: return column == Column::Value ? QVariant(row.value) : display(row, column);
    case ValueRole: return row.value;
    case UnitRole: return cell::unit(row.description.unit);
    case MinRole: return 0.0;
    case MaxRole: return row.description.maximum;
    case IdRole: return key(row);
    default: return {};
  }
}

QVariant StatModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) return {};
  if (role == Qt::TextAlignmentRole) return static_cast<Column>(section) == Column::Value ? cell::numberAlignment() : cell::textAlignment();
  if (role != Qt::DisplayRole) return {};
  switch (static_cast<Column>(section)) {
    case Column::Id: return tr("Statistic");
    case Column::Value: return tr("Now");
    case Column::Text: return tr("Meaning");
  }
  return {};
}

void StatModel::replace(const std::vector<protocol::StatDescription>& descriptions) {
  std::vector<StatRow> next;
  next.reserve(descriptions.size());
  for (const protocol::StatDescription& description : descriptions) {
    const auto known = m_places.constFind(QString::fromStdString(description.id));
    const bool isKnown = known != m_places.constEnd();
    const double value = isKnown ? rows()[static_cast<size_t>(*known)].value : std::numeric_limits<double>::quiet_NaN();
    next.push_back({.description = description, .value = value});
  }
  replaceRows(std::move(next));
  m_places.clear();
  for (int i = 0; i < rowCount(); ++i) m_places.insert(key(rows()[static_cast<size_t>(i)]), i);
}

void StatModel::apply(const protocol::StatSample& sample) {
  std::vector<int> changed;
  for (const auto& [id, value] : sample.values) {
    const int place = m_places.value(QString::fromStdString(id), -1);
    if (place < 0) continue;
    mutableRows()[static_cast<size_t>(place)].value = value;
    changed.push_back(place);
  }
  rowsChanged(std::move(changed), static_cast<int>(Column::Value), static_cast<int>(Column::Value));
}

QString StatModel::key(const StatRow& row) const { return QString::fromStdString(row.description.id); }

QVariant StatModel::display(const StatRow& row, Column column) const {
  switch (column) {
    case Column::Id: return key(row);
    case Column::Value: return formatter::text(row.value, row.description.unit);
    case Column::Text: return QString::fromStdString(row.description.text);
  }
  return {};
}

}  // namespace quarry
