// SPDX-License-Identifier: GPL-3.0-or-later
// All virtual machines with I/O and savings: filter, sort, CSV, and a panel with charts and files of the selected one.
// Subscribes to the VMs' statistics while it is visible. GUI thread only.
#pragma once

#include <QList>
#include <QString>

#include "ui/pages/page.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace quarry {

class DataTable;
class SegmentedControl;
class VmDetailsPanel;
class VmFilterModel;

class VmsPage : public Page {
  Q_OBJECT

 public:
  explicit VmsPage(const ConsoleContext& context, QWidget* parent = nullptr);

  void select(const QString& vstorage, const QString& name);
  int shownCount() const;
  QString csv() const;

 protected:
  QStringList watchedPrefixes() const override;

 private:
  void makeContent();
  QWidget* makeFilterRow();
  void showChips();
  void filterVstorage(int index);
  void showAverage();
  void onRowsChanged();
  void showSelected();
  void exportCsv();

  VmFilterModel* m_filtered;
  QLineEdit* m_search;
  SegmentedControl* m_chips;
  QComboBox* m_vstorage;  // in place of too many chips
  QLabel* m_average;
  DataTable* m_table;
  VmDetailsPanel* m_details;
  QStringList m_chipNames;
};

}  // namespace quarry
