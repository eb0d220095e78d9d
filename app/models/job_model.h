// SPDX-License-Identifier: GPL-3.0-or-later
// Running and past jobs of the engine with progress, rate and time left. GUI thread only; filled by ModelFeed.
#pragma once

#include <QString>
#include <vector>

#include "app/models/row_model.h"
#include "engine/protocol/messages.h"

namespace quarry {

class JobModel : public RowModel<protocol::JobInfo> {
  Q_OBJECT
 public:
  enum class Column { Id, Type, Target, State, Progress, Rate, TimeLeft, Started, Taken, Read, Duplicate, Stored, Freed, Error };
  static constexpr int columnTotal = 14;
  static constexpr int rowsMax = 1000;  // the oldest ended jobs go first

  using RowModel::RowModel;

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  void replace(std::vector<protocol::JobInfo> jobs);
  void put(const protocol::JobInfo& job);
  const protocol::JobInfo* find(qint64 id) const;    // valid until the next change
  const protocol::JobInfo* running() const;          // running, else paused, else the one that starts next; null when none
  int waitingCount() const;                          // queued behind running()

 protected:
  QString key(const protocol::JobInfo& row) const override;

 private:
  QVariant display(const protocol::JobInfo& row, Column column) const;
  QVariant value(const protocol::JobInfo& row, Column column) const;
};

QString jobTypeText(protocol::JobType type);           // "Optimization"
QString jobVerb(protocol::JobType type, const QString& target);  // "Optimize vs-desktops"
QString jobStateText(protocol::JobState state);
QString jobTarget(const protocol::JobInfo& job);      // "all vstorages", "lab1", "lab1 / web-01"
bool jobHasEnded(const protocol::JobInfo& job);
double jobProgress(const protocol::JobInfo& job);     // 0…1; -1 while the total is unknown

}  // namespace quarry
