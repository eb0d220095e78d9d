// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/vm_filter_model.h"

#include <QStringList>

#include "app/models/roles.h"
#include "app/models/vm_model.h"

namespace quarry {

namespace {

QString csvField(const QVariant& value) {
  QString text = value.typeId() == QMetaType::Double ? QString::number(value.toDouble(), 'g', 15) : value.toString();
  // A leading sign would be run as a formula by spreadsheet programs.
  if (value.typeId() == QMetaType::QString && !text.isEmpty() && QStringLiteral("=+-@").contains(text.front())) text.prepend(u'\'');
  if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')) return text;
  return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

}  // namespace

VmFilterModel::VmFilterModel(QAbstractItemModel& vms, QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(SortRole);
  setSortCaseSensitivity(Qt::CaseInsensitive);
  setSourceModel(&vms);
}

void VmFilterModel::setText(const QString& text) {
  m_text = text.trimmed();
  invalidateFilter();
}

void VmFilterModel::setVstorage(const QString& name) {
  if (m_vstorage == name) return;
  m_vstorage = name;
  invalidateFilter();
}

bool VmFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const auto textOf = [&](VmModel::Column column) { return sourceModel()->index(row, int(column), parent).data().toString(); };
  if (!m_vstorage.isEmpty() && textOf(VmModel::Column::Vstorage) != m_vstorage) return false;
  if (m_text.isEmpty()) return true;
  return textOf(VmModel::Column::Name).contains(m_text, Qt::CaseInsensitive) ||
         textOf(VmModel::Column::Guest).contains(m_text, Qt::CaseInsensitive);
}

QString toCsv(const QAbstractItemModel& model, const QList<int>& columns) {
  QString out;
  QStringList fields;
  for (const int column : columns) fields << csvField(model.headerData(column, Qt::Horizontal));
  out += fields.join(u',') + QStringLiteral("\r\n");
  for (int row = 0; row < model.rowCount(); ++row) {
    fields.clear();
    for (const int column : columns) fields << csvField(model.index(row, column).data(ValueRole));
    out += fields.join(u',') + QStringLiteral("\r\n");
  }
  return out;
}

}  // namespace quarry
