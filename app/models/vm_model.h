// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the virtual machines: size and savings from "vm.list", I/O from live samples of "vm/…". GUI thread only.
// Column Iops carries RingRole: the last five minutes of read + write IOPS out of the history it was given, which must outlive it.
#pragma once

#include <QList>
#include <QString>
#include <vector>

#include "app/models/row_model.h"
#include "engine/protocol/messages.h"
#include "engine/protocol/stat_messages.h"

namespace quarry {

class StatHistory;

class VmModel : public RowModel<protocol::VmInfo> {
  Q_OBJECT
 public:
  enum class Column {
    Name,
    Vstorage,
    Guest,
    Iops,
    ReadIops,
    WriteIops,
    Throughput,
    ReadLatency,
    WriteLatency,
    IoSize,
    HitRatio,
    Logical,
    Stored,
    Saved,
    LastWrite,
  };
  static constexpr int columnTotal = 15;

  explicit VmModel(const StatHistory& history, QObject* parent = nullptr);

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  void replace(std::vector<protocol::VmInfo> vms);
  void apply(const protocol::StatSample& sample);
  const protocol::VmInfo* find(const QString& vstorage, const QString& name) const;  // valid until the next change

  static QString id(const QString& vstorage, const QString& name);  // IdRole: "VSTORAGE/NAME"

 protected:
  QString key(const protocol::VmInfo& row) const override;

 private:
  QVariant display(const protocol::VmInfo& row, Column column) const;
  QVariant value(const protocol::VmInfo& row, Column column) const;
  QList<double> iopsRing(const protocol::VmInfo& row) const;

  const StatHistory& m_history;
};

}  // namespace quarry
