// SPDX-License-Identifier: GPL-3.0-or-later
// A card with a line chart of statistics out of the history: title with the axis' unit, keys with the latest values. It holds
// the ids, not the values; refresh() takes them from the history. GUI thread only.
#pragma once

#include <QList>
#include <QString>

#include "app/models/stat_history.h"
#include "engine/protocol/unit.h"
#include "ui/widgets/card.h"
#include "ui/widgets/line_chart.h"

namespace quarry {

class Legend;

struct ChartSource {
  QString id;
  QString name;
  ColorRole role;
};

class ChartCard : public Card {
  Q_OBJECT

 public:
  ChartCard(const QString& title, protocol::Unit unit, const StatHistory& history, QWidget* parent = nullptr);

  void setSources(const QList<ChartSource>& sources);
  void setSpan(StatHistory::Span span);
  void refresh();
  QStringList ids() const;
  LineChart* chart() { return m_chart; }

 private:
  void showTitle();

  QString m_name;
  const StatHistory& m_history;
  QList<ChartSource> m_sources;
  StatHistory::Span m_span = StatHistory::Span::FiveMinutes;
  Legend* m_legend;
  LineChart* m_chart;
};

}  // namespace quarry
