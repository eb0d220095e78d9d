// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_card.h"

#include <QVBoxLayout>
#include <cmath>

#include "ui/widgets/legend.h"

namespace quarry {

namespace {

QList<QPointF> toPoints(const StatValues& values) {
  QList<QPointF> points;
  const qsizetype count = qsizetype(values.values.size());
  points.reserve(count);
  for (qsizetype i = 0; i < count; ++i) {
    points.append({double(i - count + 1) * double(values.stepMs) / 1000, values.values[size_t(i)]});
  }
  return points;
}

}  // namespace

ChartCard::ChartCard(const QString& title, protocol::Unit unit, const StatHistory& history, QWidget* parent)
    : Card(title, parent), m_name(title), m_history(history), m_legend(new Legend(Qt::AlignRight)), m_chart(new LineChart(unit)) {
  addToHeader(m_legend);
  body()->addWidget(m_chart, 1);
  m_chart->setAccessibleName(title);
  connect(m_chart, &LineChart::unitTextChanged, this, [this] { showTitle(); });
  showTitle();
}

void ChartCard::setSources(const QList<ChartSource>& sources) {
  m_sources = sources;
  refresh();
}

void ChartCard::setSpan(StatHistory::Span span) {
  m_span = span;
  refresh();
}

QStringList ChartCard::ids() const {
  QStringList ids;
  for (const ChartSource& source : m_sources) ids << source.id;
  return ids;
}

void ChartCard::refresh() {
  QList<ChartSeries> series;
  QList<LegendKey> keys;
  for (const ChartSource& source : m_sources) series.append({source.name, source.role, toPoints(m_history.values(source.id, m_span))});
  m_chart->setSeries(series, double(StatHistory::seconds(m_span)));
  for (const ChartSource& source : m_sources) {
    const double latest = m_history.latest(source.id);
    keys.append({source.role, source.name, std::isnan(latest) ? QString() : m_chart->numberText(latest)});
  }
  m_legend->setKeys(keys);
}

void ChartCard::showTitle() {
  const QString unit = m_chart->unitText();
  setTitle(unit.isEmpty() ? m_name : m_name + QStringLiteral(", ") + unit);
}

}  // namespace quarry
