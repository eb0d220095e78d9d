// SPDX-License-Identifier: GPL-3.0-or-later
// IOPS, throughput and latency, read and write, of the engine, a vstorage or a VM, side by side. Follows the history while it is
// visible. GUI thread only.
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

#include "app/models/stat_history.h"

namespace quarry {

class ChartCard;

class IoCharts : public QWidget {
  Q_OBJECT

 public:
  explicit IoCharts(const StatHistory& history, QWidget* parent = nullptr);

  bool setPrefix(const QString& prefix);  // "engine", "vm/VSTORAGE/NAME"; true when it changed
  void setSpan(StatHistory::Span span);
  void refresh();
  QStringList ids() const;

 private:
  QString m_prefix;
  QList<ChartCard*> m_charts;
};

}  // namespace quarry
