// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the vstorages of the engine. GUI thread only; filled by ModelFeed.
#pragma once

#include <QString>
#include <vector>

#include "app/models/row_model.h"
#include "engine/protocol/messages.h"

namespace quarry {

class VstorageModel : public RowModel<protocol::VstorageInfo> {
  Q_OBJECT
 public:
  enum class Column { Name, WriteMode, Clients, Vms, Mounts, Logical, Stored, Saved, Landing, MinAge };
  static constexpr int columnTotal = 10;

  using RowModel::RowModel;

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  void replace(std::vector<protocol::VstorageInfo> vstorages);
  const protocol::VstorageInfo* find(const QString& name) const;  // null when there is none; valid until the next change

 protected:
  QString key(const protocol::VstorageInfo& row) const override;

 private:
  QVariant display(const protocol::VstorageInfo& row, Column column) const;
  QVariant value(const protocol::VstorageInfo& row, Column column) const;
};

}  // namespace quarry
