// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/cache_model.h"

#include <utility>

#include "app/format/formatter.h"
#include "app/format/write_mode_text.h"
#include "app/models/cell.h"
#include "app/models/roles.h"
#include "engine/protocol/cache_curve.h"

namespace quarry {
namespace {

using Column = CacheModel::Column;

bool isNumber(Column column) {
  switch (column) {
    case Column::Name:
    case Column::Mode:
    case Column::PowerCut: return false;
    case Column::HitRatio:
    case Column::Absorbed:
    case Column::Dirty:
    case Column::Unprotected: return true;
  }
  return false;
}

QVariant unitOf(Column column) {
  switch (column) {
    case Column::Name:
    case Column::Mode:
    case Column::PowerCut: return {};
    case Column::HitRatio:
    case Column::Absorbed: return cell::unit(protocol::Unit::Ratio);
    case Column::Dirty:
    case Column::Unprotected: return cell::unit(protocol::Unit::Bytes);
  }
  return {};
}

QString ratioText(const std::optional<double>& ratio) { return ratio ? formatter::percent(*ratio) : QStringLiteral("–"); }

// What is not known sorts below everything that is.
QVariant ratioValue(const std::optional<double>& ratio) { return ratio.value_or(-1); }

}  // namespace

int CacheModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant CacheModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const protocol::CacheVstorage& row = rows()[static_cast<size_t>(index.row())];
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return display(row, column);
    case Qt::TextAlignmentRole: return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
    case SortRole:
    case ValueRole: return value(row, column);
    case UnitRole: return unitOf(column);
    case IdRole: return key(row);
    case StateRole: return static_cast<int>(row.writeMode);
    default: return {};
  }
}

QVariant CacheModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) return {};
  const auto column = static_cast<Column>(section);
  if (role == Qt::TextAlignmentRole) return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case Column::Name: return tr("vStorage");
    //: Column title: when a write of this vstorage is acknowledged.
    case Column::Mode: return tr("Mode");
    //: Column title: what a power cut does to acknowledged writes.
    case Column::PowerCut: return tr("At a power cut");
    //: Column title: share of the reads that were answered from RAM in the last minute.
    case Column::HitRatio: return tr("Read hits");
    //: Column title: share of the written bytes that were overwritten before they had to be written to the disk.
    case Column::Absorbed: return tr("Absorbed");
    case Column::Dirty: return tr("Dirty");
    //: Column title: acknowledged bytes that a power cut would lose now, and the age of the oldest of them.
    case Column::Unprotected: return tr("Unprotected");
  }
  return {};
}

void CacheModel::replace(protocol::CacheInfo info) {
  replaceRows(info.vstorages);
  if (m_info == info) return;
  m_info = std::move(info);
  Q_EMIT infoChanged();
}

void CacheModel::setAdvice(protocol::CacheAdvice advice) {
  if (m_advice == advice) return;
  m_advice = std::move(advice);
  Q_EMIT adviceChanged();
}

const protocol::CacheCurve* CacheModel::curve() const { return protocol::engineCurve(m_advice); }

const protocol::CacheVstorage* CacheModel::find(const QString& name) const {
  const int at = rowOf(name);
  return at < 0 ? nullptr : &rows()[static_cast<size_t>(at)];
}

QString CacheModel::key(const protocol::CacheVstorage& row) const { return QString::fromStdString(row.name); }

QVariant CacheModel::display(const protocol::CacheVstorage& row, Column column) const {
  switch (column) {
    case Column::Name: return key(row);
    case Column::Mode: return writeModeTitle(row.writeMode);
    case Column::PowerCut: return powerCutText(row.writeMode);
    case Column::HitRatio: return ratioText(row.hitRatio);
    case Column::Absorbed: return ratioText(row.absorbedRatio);
    case Column::Dirty: return formatter::bytes(row.dirtyBytes);
    case Column::Unprotected: return unprotectedText({.bytes = row.unprotectedBytes, .oldestSeconds = row.oldestUnprotectedSeconds});
  }
  return {};
}

QVariant CacheModel::value(const protocol::CacheVstorage& row, Column column) const {
  switch (column) {
    case Column::Name:
    case Column::Mode:
    case Column::PowerCut: return display(row, column);
    case Column::HitRatio: return ratioValue(row.hitRatio);
    case Column::Absorbed: return ratioValue(row.absorbedRatio);
    case Column::Dirty: return cell::number(row.dirtyBytes);
    case Column::Unprotected: return cell::number(row.unprotectedBytes);
  }
  return {};
}

}  // namespace quarry
