// SPDX-License-Identifier: GPL-3.0-or-later
// What happened: the engine's events, the newest rowsMax of them in the order in which they happened. Those that the engine could not save
// have id 0 and are in no list of it; they stay until they are among the oldest. GUI thread only; filled by ModelFeed.
#pragma once

#include <QString>
#include <vector>

#include "app/models/row_model.h"
#include "engine/protocol/messages.h"

namespace quarry {

class EventModel : public RowModel<protocol::Event> {
  Q_OBJECT
 public:
  enum class Column { Time, Severity, Subject, Text };
  static constexpr int columnTotal = 4;
  static constexpr int rowsMax = 2000;

  using RowModel::RowModel;

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  void replace(std::vector<protocol::Event> events);
  void put(const protocol::Event& event);

 protected:
  QString key(const protocol::Event& row) const override;

 private:
  QVariant display(const protocol::Event& row, Column column) const;
};

bool happenedBefore(const protocol::Event& one, const protocol::Event& other);
QString severityText(protocol::Severity severity);

}  // namespace quarry
