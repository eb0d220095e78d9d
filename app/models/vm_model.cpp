// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/vm_model.h"

#include <QDateTime>
#include <cmath>
#include <optional>

#include "app/format/formatter.h"
#include "app/models/cell.h"
#include "app/models/roles.h"
#include "app/models/savings.h"
#include "app/models/stat_history.h"

namespace quarry {
namespace {

using Column = VmModel::Column;
using protocol::Unit;

bool isNumber(Column column) {
  return column != Column::Name && column != Column::Vstorage && column != Column::Guest && column != Column::LastWrite;
}

std::optional<Unit> unitOf(Column column) {
  switch (column) {
    case Column::Name:
    case Column::Vstorage:
    case Column::Guest:
    case Column::LastWrite: return std::nullopt;
    case Column::Iops:
    case Column::ReadIops:
    case Column::WriteIops: return Unit::PerSecond;
    case Column::Throughput: return Unit::BytesPerSecond;
    case Column::ReadLatency:
    case Column::WriteLatency: return Unit::Microseconds;
    case Column::IoSize:
    case Column::Logical:
    case Column::Stored: return Unit::Bytes;
    case Column::HitRatio:
    case Column::Saved: return Unit::Ratio;
  }
  return std::nullopt;
}

std::string statPrefix(const protocol::VmInfo& vm) { return "vm/" + vm.vstorage + "/" + vm.name + "/"; }

// Takes the sample's value of this id when there is one; says whether anything changed.
bool take(const protocol::StatSample& sample, const std::string& id, double& value) {
  const auto found = sample.values.find(id);
  if (found == sample.values.end() || std::isnan(found->second) || found->second == value) return false;
  value = found->second;
  return true;
}

bool takeIoSize(const protocol::StatSample& sample, const std::string& prefix, protocol::VmInfo& vm) {
  double readBytes = 0, writeBytes = 0;
  const bool known = take(sample, prefix + "read/io-size", readBytes) | take(sample, prefix + "write/io-size", writeBytes);
  const double iops = vm.readIops + vm.writeIops;
  if (!known || iops <= 0) return false;
  vm.ioBytes = (readBytes * vm.readIops + writeBytes * vm.writeIops) / iops;
  return true;
}

bool takeAll(const protocol::StatSample& sample, protocol::VmInfo& vm) {
  const std::string prefix = statPrefix(vm);
  bool changed = take(sample, prefix + "read/iops", vm.readIops);
  changed |= take(sample, prefix + "write/iops", vm.writeIops);
  changed |= take(sample, prefix + "read/bytes", vm.readBytesPerSecond);
  changed |= take(sample, prefix + "write/bytes", vm.writeBytesPerSecond);
  changed |= take(sample, prefix + "read/latency", vm.readLatencyUs);
  changed |= take(sample, prefix + "write/latency", vm.writeLatencyUs);
  changed |= take(sample, prefix + "read/latency-p99", vm.readLatencyP99Us);
  changed |= take(sample, prefix + "write/latency-p99", vm.writeLatencyP99Us);
  changed |= takeIoSize(sample, prefix, vm);
  return changed;
}

}  // namespace

VmModel::VmModel(const StatHistory& history, QObject* parent) : RowModel(parent), m_history(history) {}

QString VmModel::id(const QString& vstorage, const QString& name) { return vstorage + QLatin1Char('/') + name; }

int VmModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant VmModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const protocol::VmInfo& row = rows()[static_cast<size_t>(index.row())];
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return display(row, column);
    case Qt::ToolTipRole: return column == Column::Name ? QVariant(key(row)) : QVariant();
    case Qt::TextAlignmentRole: return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
    case SortRole:
    case ValueRole: return value(row, column);
    case UnitRole: {
      const auto unit = unitOf(column);
      return unit ? cell::unit(*unit) : QVariant();
    }
    case IdRole: return key(row);
    case RingRole: return column == Column::Iops ? QVariant::fromValue(iopsRing(row)) : QVariant();
    default: return {};
  }
}

QVariant VmModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) return {};
  const auto column = static_cast<Column>(section);
  if (role == Qt::TextAlignmentRole) return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case Column::Name: return tr("Virtual machine");
    case Column::Vstorage: return tr("vStorage");
    case Column::Guest: return tr("Guest");
    case Column::Iops: return tr("IOPS");
    case Column::ReadIops: return tr("Reads/s");
    case Column::WriteIops: return tr("Writes/s");
    case Column::Throughput: return tr("Throughput");
    case Column::ReadLatency: return tr("Read latency");
    case Column::WriteLatency: return tr("Write latency");
    //: Column title: mean size of one read or write.
    case Column::IoSize: return tr("I/O size");
    //: Column title: share of the reads that were answered from RAM in the last minute.
    case Column::HitRatio: return tr("RAM hits");
    case Column::Logical: return tr("Logical");
    case Column::Stored: return tr("Stored");
    //: Column title: share of the non-zero bytes that deduplication and compression removed.
    case Column::Saved: return tr("Saved");
    case Column::LastWrite: return tr("Last write");
  }
  return {};
}

void VmModel::replace(std::vector<protocol::VmInfo> vms) { replaceRows(std::move(vms)); }

void VmModel::apply(const protocol::StatSample& sample) {
  std::vector<int> changed;
  for (int i = 0; i < rowCount(); ++i)
    if (takeAll(sample, mutableRows()[static_cast<size_t>(i)])) changed.push_back(i);
  rowsChanged(std::move(changed), static_cast<int>(Column::Iops), static_cast<int>(Column::IoSize));
}

const protocol::VmInfo* VmModel::find(const QString& vstorage, const QString& name) const {
  const int at = rowOf(id(vstorage, name));
  return at < 0 ? nullptr : &rows()[static_cast<size_t>(at)];
}

QString VmModel::key(const protocol::VmInfo& row) const { return id(QString::fromStdString(row.vstorage), QString::fromStdString(row.name)); }

QVariant VmModel::display(const protocol::VmInfo& row, Column column) const {
  switch (column) {
    case Column::Name: return QString::fromStdString(row.name);
    case Column::Vstorage: return QString::fromStdString(row.vstorage);
    case Column::Guest: return QString::fromStdString(row.guest);
    case Column::Iops:
    case Column::ReadIops:
    case Column::WriteIops: return formatter::number(value(row, column).toDouble());
    case Column::Throughput:
    case Column::ReadLatency:
    case Column::WriteLatency:
    case Column::IoSize:
    case Column::Logical:
    case Column::Stored:
    case Column::Saved: return formatter::text(value(row, column).toDouble(), *unitOf(column));
    case Column::HitRatio: return row.hitRatio ? formatter::percent(*row.hitRatio) : QStringLiteral("–");
    case Column::LastWrite: return formatter::age(QString::fromStdString(row.lastWriteAt), QDateTime::currentDateTimeUtc());
  }
  return {};
}

QVariant VmModel::value(const protocol::VmInfo& row, Column column) const {
  switch (column) {
    case Column::Name:
    case Column::Vstorage:
    case Column::Guest: return display(row, column);
    case Column::Iops: return row.readIops + row.writeIops;
    case Column::ReadIops: return row.readIops;
    case Column::WriteIops: return row.writeIops;
    case Column::Throughput: return row.readBytesPerSecond + row.writeBytesPerSecond;
    case Column::ReadLatency: return row.readLatencyUs;
    case Column::WriteLatency: return row.writeLatencyUs;
    case Column::IoSize: return row.ioBytes;
    case Column::HitRatio: return row.hitRatio.value_or(-1);  // what is not known sorts below everything that is
    case Column::Logical: return cell::number(row.savings.logicalBytes);
    case Column::Stored: return cell::number(row.savings.storedBytes);
    case Column::Saved: return savedRatio(row.savings);
    case Column::LastWrite: return QString::fromStdString(row.lastWriteAt);
  }
  return {};
}

QList<double> VmModel::iopsRing(const protocol::VmInfo& row) const {
  const QString prefix = QString::fromStdString(statPrefix(row));
  const StatValues reads = m_history.values(prefix + QStringLiteral("read/iops"), StatHistory::Span::FiveMinutes);
  const StatValues writes = m_history.values(prefix + QStringLiteral("write/iops"), StatHistory::Span::FiveMinutes);
  if (reads.values.empty() || writes.values.empty()) return {};
  QList<double> sum;
  sum.reserve(static_cast<qsizetype>(reads.values.size()));
  for (size_t i = 0; i < reads.values.size(); ++i) sum << reads.values[i] + writes.values[i];
  return sum;
}

}  // namespace quarry
