// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, the newest first, all or only what is serious. GUI thread only.
#pragma once

#include <QSortFilterProxyModel>

#include "ui/pages/page.h"

namespace quarry {

class DataTable;
class SegmentedControl;

class EventFilterModel : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit EventFilterModel(QAbstractItemModel& events, QObject* parent = nullptr);
  void setLeast(protocol::Severity severity);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  protocol::Severity m_least = protocol::Severity::Info;
};

class EventsPage : public Page {
  Q_OBJECT

 public:
  explicit EventsPage(const ConsoleContext& context, QWidget* parent = nullptr);

  void setLeast(protocol::Severity severity);
  int shownCount() const { return m_filtered->rowCount(); }

 private:
  void onRowsChanged();

  EventFilterModel* m_filtered;
  SegmentedControl* m_severity;
  DataTable* m_table;
};

}  // namespace quarry
