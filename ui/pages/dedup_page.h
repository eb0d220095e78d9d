// SPDX-License-Identifier: GPL-3.0-or-later
// Starts deduplication, shows the running job, what past ones did, and the policies. GUI thread only.
#pragma once

#include <QSortFilterProxyModel>

#include "ui/pages/page.h"

class QComboBox;
class QPlainTextEdit;
class QPushButton;

namespace quarry {

class Card;
class DataTable;

class EndedJobsModel : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit EndedJobsModel(QAbstractItemModel& jobs, QObject* parent = nullptr);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
};

class DedupPage : public Page {
  Q_OBJECT

 public:
  explicit DedupPage(const ConsoleContext& context, QWidget* parent = nullptr);

  void optimizeNow();
  QString reportText() const;

 private:
  void makeHeader();
  void makeContent();
  Card* makeHistory();
  Card* makeReport();
  void changePolicy(const QString& vstorage);
  void cancelJob(qint64 id);
  void onRowsChanged();
  void showReport();

  QComboBox* m_target;
  QStringList m_targets;  // its items
  QPushButton* m_optimize;
  EndedJobsModel* m_ended;
  DataTable* m_history;
  QPlainTextEdit* m_report;
};

}  // namespace quarry
