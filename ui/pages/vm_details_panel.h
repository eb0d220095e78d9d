// SPDX-License-Identifier: GPL-3.0-or-later
// One virtual machine: its I/O over the last five minutes and its files with what each takes. Asks the engine for the files when
// it is shown, after each reconnect and when a job has ended; an answer that comes after another VM was chosen is dropped. GUI thread only.
#pragma once

#include <QString>

#include "app/client/console_context.h"
#include "engine/protocol/messages.h"
#include "ui/widgets/card.h"

class QStandardItemModel;

namespace quarry {

class DataTable;
class IoCharts;

class VmDetailsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit VmDetailsPanel(const ConsoleContext& context, QWidget* parent = nullptr);

  void display(const QString& vstorage, const QString& name);
  QString shownId() const { return m_id; }
  int fileCount() const;

 Q_SIGNALS:
  void closed();

 private:
  void askFiles();
  void onJobs();
  void showFiles(const protocol::VmDetail& detail);

  ConsoleContext m_context;
  QString m_id;
  QString m_vstorage;
  QString m_name;
  qint64 m_job = 0;  // that ran last; 0: none
  IoCharts* m_charts;
  Card* m_filesCard;
  QStandardItemModel* m_files;
  DataTable* m_table;
};

}  // namespace quarry
