// SPDX-License-Identifier: GPL-3.0-or-later
// The vstorages with what they hold and, for the selected one, the commands that mount it on a host. GUI thread only.
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

#include "ui/pages/page.h"

class QPushButton;

namespace quarry {

class DataTable;
class IoCharts;
class RemoveVstorageDialog;
class VstorageDialog;
class VstorageDetails;

class VstoragesPage : public Page {
  Q_OBJECT

 public:
  explicit VstoragesPage(const ConsoleContext& context, QWidget* parent = nullptr);

  void createVstorage();  // opens the dialog
  QString selected() const;
  void select(const QString& name);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void makeHeader();
  void makeContent();
  void editSelected();
  void removeSelected();
  void showSelected();
  void onRowsChanged();
  void fitTable();
  void sendCreate(VstorageDialog* dialog);
  void sendSet(VstorageDialog* dialog);
  void sendRemove(RemoveVstorageDialog* dialog);

  QSortFilterProxyModel* m_sorted;
  DataTable* m_table;
  VstorageDetails* m_details;
  IoCharts* m_charts;
  QPushButton* m_create;
  QPushButton* m_edit;
  QPushButton* m_remove;
};

}  // namespace quarry
