// SPDX-License-Identifier: GPL-3.0-or-later
// The virtual machines with the most I/O right now. Ranked anew after each change while it is seen.
// GUI thread only.
#pragma once

#include <QSet>
#include <QSortFilterProxyModel>
#include <QTimer>

#include "app/client/console_context.h"
#include "ui/widgets/card.h"

namespace quarry {

class DataTable;

class BusiestVmsModel : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  static constexpr int rowsMax = 6;

  explicit BusiestVmsModel(QAbstractItemModel& vms, QObject* parent = nullptr);
  void rank();

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QSet<QString> m_chosen;
};

class BusiestVmsCard : public Card {
  Q_OBJECT

 public:
  explicit BusiestVmsCard(const ConsoleContext& context, QWidget* parent = nullptr);

 Q_SIGNALS:
  void opened(const QString& vstorage, const QString& name);

 private:
  BusiestVmsModel* m_model;
  DataTable* m_table;
  QTimer m_rankSoon;  // one ranking for the many changes of one sample
};

}  // namespace quarry
