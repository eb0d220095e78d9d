// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/io_charts.h"

#include <QHBoxLayout>

#include "ui/theme/metrics.h"
#include "ui/widgets/chart_card.h"

namespace quarry {

namespace {

QList<ChartSource> readAndWrite(const QString& prefix, const QString& what) {
  return {{prefix + QStringLiteral("/read/") + what, IoCharts::tr("read"), ColorRole::Read},
          {prefix + QStringLiteral("/write/") + what, IoCharts::tr("write"), ColorRole::Write}};
}

}  // namespace

IoCharts::IoCharts(const StatHistory& history, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(metrics::cardGap);
  m_charts = {new ChartCard(tr("IOPS"), protocol::Unit::Count, history),
              new ChartCard(tr("Throughput"), protocol::Unit::BytesPerSecond, history),
              new ChartCard(tr("Latency"), protocol::Unit::Microseconds, history)};
  for (ChartCard* chart : m_charts) {
    chart->setMinimumWidth(150);
    row->addWidget(chart, 1);
  }
  connect(&history, &StatHistory::filled, this, &IoCharts::refresh);
  connect(&history, &StatHistory::appended, this, [this] {
    if (isVisible()) refresh();
  });
}

bool IoCharts::setPrefix(const QString& prefix) {
  if (prefix == m_prefix) return false;
  m_prefix = prefix;
  const QStringList kinds{QStringLiteral("iops"), QStringLiteral("bytes"), QStringLiteral("latency")};
  for (qsizetype i = 0; i < m_charts.size(); ++i) m_charts[i]->setSources(readAndWrite(prefix, kinds[i]));
  return true;
}

void IoCharts::setSpan(StatHistory::Span span) {
  for (ChartCard* chart : m_charts) chart->setSpan(span);
}

void IoCharts::refresh() {
  for (ChartCard* chart : m_charts) chart->refresh();
}

QStringList IoCharts::ids() const {
  QStringList ids;
  for (const ChartCard* chart : m_charts) ids << chart->ids();
  return ids;
}

}  // namespace quarry
