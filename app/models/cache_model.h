// SPDX-License-Identifier: GPL-3.0-or-later
// The RAM cache as last told: a table of what it does for each vstorage, and the numbers and the curves of the engine beside it. GUI thread
// only; filled by ModelFeed.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/models/row_model.h"
#include "engine/protocol/messages.h"

namespace quarry {

class CacheModel : public RowModel<protocol::CacheVstorage> {
  Q_OBJECT
 public:
  enum class Column { Name, Mode, PowerCut, HitRatio, Absorbed, Dirty, Unprotected };
  static constexpr int columnTotal = 7;

  using RowModel::RowModel;

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  void replace(protocol::CacheInfo info);
  void setAdvice(protocol::CacheAdvice advice);
  const std::optional<protocol::CacheInfo>& info() const { return m_info; }  // none before the first answer
  const protocol::CacheCurve* curve() const;                                 // of the engine; null when there is none
  const protocol::CacheVstorage* find(const QString& name) const;            // null when there is none; valid until the next change

 Q_SIGNALS:
  void infoChanged();
  void adviceChanged();

 protected:
  QString key(const protocol::CacheVstorage& row) const override;

 private:
  QVariant display(const protocol::CacheVstorage& row, Column column) const;
  QVariant value(const protocol::CacheVstorage& row, Column column) const;

  std::optional<protocol::CacheInfo> m_info;
  protocol::CacheAdvice m_advice;
};

}  // namespace quarry
