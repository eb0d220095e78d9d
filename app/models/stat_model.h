// SPDX-License-Identifier: GPL-3.0-or-later
// Latest value of every described statistic, one row each: ValueRole, UnitRole, MinRole, MaxRole, IdRole and a text in DisplayRole.
// GUI thread only.
#pragma once

#include <QHash>
#include <QString>
#include <vector>

#include "app/models/row_model.h"
#include "engine/protocol/stat_messages.h"

namespace quarry {

struct StatRow {
  protocol::StatDescription description;
  double value = 0;  // NaN until the first sample

  bool operator==(const StatRow& other) const { return description == other.description; }  // values change without a refresh
};

class StatModel : public RowModel<StatRow> {
  Q_OBJECT
 public:
  enum class Column { Id, Value, Text };
  static constexpr int columnTotal = 3;

  using RowModel::RowModel;

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  void replace(const std::vector<protocol::StatDescription>& descriptions);  // values of ids that stay are kept
  void apply(const protocol::StatSample& sample);

 protected:
  QString key(const StatRow& row) const override;

 private:
  QVariant display(const StatRow& row, Column column) const;

  QHash<QString, int> m_places;  // id → row
};

}  // namespace quarry
