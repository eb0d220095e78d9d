// SPDX-License-Identifier: GPL-3.0-or-later
// The virtual machines whose name or guest contains a text, of one vstorage or of all. GUI thread only.
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

namespace quarry {

class VmFilterModel : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit VmFilterModel(QAbstractItemModel& vms, QObject* parent = nullptr);

  void setText(const QString& text);
  void setVstorage(const QString& name);  // empty: all
  QString vstorage() const { return m_vstorage; }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString m_text;
  QString m_vstorage;
};

// The rows and columns seen, as RFC 4180 text with raw values.
QString toCsv(const QAbstractItemModel& model, const QList<int>& columns);

}  // namespace quarry
