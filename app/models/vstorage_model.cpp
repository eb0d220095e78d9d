// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/vstorage_model.h"

#include "app/format/clients_text.h"
#include "app/format/formatter.h"
#include "app/format/write_mode_text.h"
#include "app/models/cell.h"
#include "app/models/roles.h"
#include "app/models/savings.h"

namespace quarry {
namespace {

using Column = VstorageModel::Column;

bool isNumber(Column column) {
  switch (column) {
    case Column::Name:
    case Column::WriteMode:
    case Column::Clients: return false;
    case Column::Vms:
    case Column::Mounts:
    case Column::Logical:
    case Column::Stored:
    case Column::Saved:
    case Column::Landing:
    case Column::MinAge: return true;
  }
  return false;
}

QVariant unitOf(Column column) {
  switch (column) {
    case Column::Name:
    case Column::WriteMode:
    case Column::Clients: return {};
    case Column::Vms:
    case Column::Mounts: return cell::unit(protocol::Unit::Count);
    case Column::Logical:
    case Column::Stored:
    case Column::Landing: return cell::unit(protocol::Unit::Bytes);
    case Column::Saved: return cell::unit(protocol::Unit::Ratio);
    case Column::MinAge: return cell::unit(protocol::Unit::Seconds);
  }
  return {};
}

}  // namespace

int VstorageModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant VstorageModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const protocol::VstorageInfo& row = rows()[static_cast<size_t>(index.row())];
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return display(row, column);
    case Qt::ToolTipRole: return column == Column::Clients ? QVariant(clientsText(row.clients)) : QVariant();
    case Qt::TextAlignmentRole: return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
    case SortRole:
    case ValueRole: return value(row, column);
    case UnitRole: return unitOf(column);
    case IdRole: return key(row);
    case StateRole: return static_cast<int>(row.writeMode);
    default: return {};
  }
}

QVariant VstorageModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) return {};
  const auto column = static_cast<Column>(section);
  if (role == Qt::TextAlignmentRole) return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case Column::Name: return tr("Name");
    case Column::WriteMode: return tr("Writes");
    case Column::Clients: return tr("May mount");
    case Column::Vms: return tr("VMs");
    //: Column title: number of hosts that have it mounted.
    case Column::Mounts: return tr("Mounts");
    case Column::Logical: return tr("Logical");
    case Column::Stored: return tr("Stored");
    //: Column title: share of the non-zero bytes that deduplication and compression removed.
    case Column::Saved: return tr("Saved");
    case Column::Landing: return tr("Not optimized");
    //: Column title: how long data stays untouched before it is optimized.
    case Column::MinAge: return tr("Optimize after");
  }
  return {};
}

void VstorageModel::replace(std::vector<protocol::VstorageInfo> vstorages) { replaceRows(std::move(vstorages)); }

const protocol::VstorageInfo* VstorageModel::find(const QString& name) const {
  const int at = rowOf(name);
  return at < 0 ? nullptr : &rows()[static_cast<size_t>(at)];
}

QString VstorageModel::key(const protocol::VstorageInfo& row) const { return QString::fromStdString(row.name); }

QVariant VstorageModel::display(const protocol::VstorageInfo& row, Column column) const {
  switch (column) {
    case Column::Name: return key(row);
    case Column::WriteMode: return row.readOnly ? tr("read-only") : writeModeText(row.writeMode);
    case Column::Clients: return clientsText(row.clients);
    case Column::Vms: return formatter::count(static_cast<uint64_t>(row.vmCount));
    case Column::Mounts: return formatter::count(row.mountCount);
    case Column::Logical: return formatter::bytes(row.savings.logicalBytes);
    case Column::Stored: return formatter::bytes(row.savings.storedBytes);
    case Column::Saved: return formatter::percent(savedRatio(row.savings));
    case Column::Landing: return formatter::bytes(row.savings.landingBytes);
    case Column::MinAge: return formatter::duration(row.policy.minAgeSeconds);
  }
  return {};
}

QVariant VstorageModel::value(const protocol::VstorageInfo& row, Column column) const {
  switch (column) {
    case Column::Name:
    case Column::WriteMode:
    case Column::Clients: return display(row, column);
    case Column::Vms: return row.vmCount;
    case Column::Mounts: return cell::number(row.mountCount);
    case Column::Logical: return cell::number(row.savings.logicalBytes);
    case Column::Stored: return cell::number(row.savings.storedBytes);
    case Column::Saved: return savedRatio(row.savings);
    case Column::Landing: return cell::number(row.savings.landingBytes);
    case Column::MinAge: return cell::number(row.policy.minAgeSeconds);
  }
  return {};
}

}  // namespace quarry
