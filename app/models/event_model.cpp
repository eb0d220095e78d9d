// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/event_model.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "app/format/formatter.h"
#include "app/models/cell.h"
#include "app/models/roles.h"

namespace quarry {

using protocol::Event;
using protocol::Severity;

bool happenedBefore(const Event& one, const Event& other) { return std::tie(one.at, one.id) < std::tie(other.at, other.id); }

QString severityText(Severity severity) {
  switch (severity) {
    case Severity::Info: return EventModel::tr("Information");
    case Severity::Warning: return EventModel::tr("Warning");
    case Severity::Error: return EventModel::tr("Error");
  }
  return {};
}

int EventModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant EventModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Event& row = rows()[static_cast<size_t>(index.row())];
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return display(row, column);
    case Qt::ToolTipRole: return QString::fromStdString(row.text);
    case Qt::TextAlignmentRole: return cell::textAlignment();
    case SortRole:
    case ValueRole:
      // Several events of one second keep the order in which they happened.
      if (column == Column::Time) return QStringLiteral("%1 %2").arg(QString::fromStdString(row.at)).arg(row.id, 20, 10, QLatin1Char('0'));
      return column == Column::Severity ? QVariant(static_cast<int>(row.severity)) : display(row, column);
    case IdRole: return static_cast<qlonglong>(row.id);
    case StateRole: return static_cast<int>(row.severity);
    default: return {};
  }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnTotal) return {};
  switch (static_cast<Column>(section)) {
    case Column::Time: return tr("Time");
    case Column::Severity: return tr("Severity");
    case Column::Subject: return tr("About");
    case Column::Text: return tr("What happened");
  }
  return {};
}

void EventModel::replace(std::vector<Event> events) {
  std::copy_if(rows().begin(), rows().end(), std::back_inserter(events), [](const Event& event) { return event.id == 0; });
  std::stable_sort(events.begin(), events.end(), &happenedBefore);
  if (events.size() > rowsMax) events.erase(events.begin(), events.end() - rowsMax);
  replaceRows(std::move(events));
}

void EventModel::put(const Event& event) {
  putRow(event);
  removeRange(0, rowCount() - rowsMax);
}

QString EventModel::key(const Event& row) const {
  return row.id != 0 ? QString::number(row.id) : QString::fromStdString(row.at + ' ' + row.text);
}

QVariant EventModel::display(const Event& row, Column column) const {
  switch (column) {
    case Column::Time: return formatter::time(QString::fromStdString(row.at));
    case Column::Severity: return severityText(row.severity);
    case Column::Subject: return QString::fromStdString(row.subject);
    case Column::Text: return QString::fromStdString(row.text);
  }
  return {};
}

}  // namespace quarry
