// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/dashboard_figures.h"

#include <QHBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/format/formatter.h"
#include "app/models/cache_model.h"
#include "app/models/model_feed.h"
#include "app/models/savings.h"
#include "app/models/stat_history.h"
#include "ui/theme/metrics.h"
#include "ui/widgets/figure_card.h"

namespace quarry {

namespace {

using protocol::Unit;

// Without its unit where the big figure has the same one.
QString shortText(double value, const formatter::Figure& total, Unit unit) {
  const formatter::Figure figure = formatter::figure(value, unit);
  return figure.unit == total.unit || figure.unit.isEmpty() ? figure.number : figure.number + u' ' + figure.unit;
}

void showReadAndWrite(FigureCard& card, double read, double write, Unit unit) {
  const formatter::Figure total = formatter::figure(read + write, unit);
  card.setFigure(total);
  card.setKeys({{ColorRole::Read, DashboardFigures::tr("read"), shortText(read, total, unit)},
                {ColorRole::Write, DashboardFigures::tr("write"), shortText(write, total, unit)}});
}

// A rate that was not sampled counts as none beside one that was.
double orZero(double value) { return std::isnan(value) ? 0 : value; }

struct Weighted {
  double value, weight;
};

double mean(const Weighted& one, const Weighted& other) {
  const double weight = orZero(one.weight) + orZero(other.weight);
  return weight > 0 ? (orZero(one.value) * orZero(one.weight) + orZero(other.value) * orZero(other.weight)) / weight : 0;
}

}  // namespace

DashboardFigures::DashboardFigures(const ConsoleContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_iops(new FigureCard(tr("IOPS"))),
      m_latency(new FigureCard(tr("Latency"))),
      m_hits(new FigureCard(tr("Read hits in RAM"))),
      m_waiting(new FigureCard(tr("Not on disk yet"))),
      m_saved(new FigureCard(tr("Saved"))) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(metrics::cardGap);
  for (FigureCard* card : {m_iops, m_latency, m_hits, m_waiting, m_saved}) {
    card->setMinimumWidth(128);
    card->setFixedHeight(124);
    row->addWidget(card, 1);
  }
  connect(&context.cache, &CacheModel::infoChanged, this, &DashboardFigures::showCache);
  showIo();
  showCache();
  showSavings();
}

void DashboardFigures::showIo() {
  const auto latest = [this](const char* id) { return m_context.history.latest(QLatin1String(id)); };
  const double readIops = latest("engine/read/iops"), writeIops = latest("engine/write/iops");
  if (std::isnan(readIops) && std::isnan(writeIops)) {
    for (FigureCard* card : {m_iops, m_latency}) card->setLoading();
    return;
  }
  showReadAndWrite(*m_iops, orZero(readIops), orZero(writeIops), Unit::Count);

  const double meanLatency = mean({latest("engine/read/latency"), readIops}, {latest("engine/write/latency"), writeIops});
  formatter::Figure latency = formatter::figure(meanLatency, Unit::Microseconds);
  latency.unit = tr("%1 mean").arg(latency.unit);
  m_latency->setFigure(latency);
  const double slowest = std::max(orZero(latest("engine/read/latency-p99")), orZero(latest("engine/write/latency-p99")));
  m_latency->setSubline(tr("99th percentile %1").arg(formatter::text(slowest, Unit::Microseconds)));
}

void DashboardFigures::showCache() {
  const auto& info = m_context.cache.info();
  if (!info) return;
  m_hits->setFigure(info->hitRatio ? formatter::figure(*info->hitRatio, Unit::Ratio) : formatter::Figure{QStringLiteral("–"), {}});
  m_hits->setSubline(info->hitRatio ? tr("%1 cache · last minute").arg(formatter::bytes(info->budgetBytes))
                                    : tr("%1 cache · no reads lately").arg(formatter::bytes(info->budgetBytes)));
  m_hits->setShare(info->hitRatio.value_or(0), ColorRole::Read);

  const auto sampledOr = [this](const char* id, uint64_t told) {
    const double sampled = m_context.history.latest(QLatin1String(id));
    return std::isnan(sampled) ? double(told) : sampled;
  };
  const double dirty = sampledOr("cache/write/dirty", info->dirtyBytes);
  const double unprotected = sampledOr("cache/write/unprotected", info->unprotectedBytes);
  const double oldest = sampledOr("cache/write/oldest_unprotected", info->oldestUnprotectedSeconds);
  m_waiting->setFigure(formatter::figure(dirty, Unit::Bytes));
  m_waiting->setSubline(unprotected > 0 ? tr("%1 unprotected for %2").arg(formatter::text(unprotected, Unit::Bytes), formatter::text(oldest, Unit::Seconds))
                                        : dirty > 0     ? tr("safe at a power cut")
                                        : tr("everything is on the disk"),
                        unprotected > 0 ? Tone::Bad : Tone::Dim);
  m_waiting->setShare(info->dirtyBytesMax == 0 ? 0 : dirty / double(info->dirtyBytesMax), unprotected > 0 ? ColorRole::Bad : ColorRole::Good);
}

void DashboardFigures::showSavings() {
  const auto& status = m_context.feed.status();
  if (!status) return;
  const protocol::Savings& savings = status->savings;
  m_saved->setFigure(formatter::figure(savedRatio(savings), Unit::Ratio));
  m_saved->setSubline(nonZeroBytes(savings) == 0
                          ? tr("nothing written yet")
                          : tr("%1 of %2 written").arg(formatter::bytes(savedBytes(savings)), formatter::bytes(nonZeroBytes(savings))));
  m_saved->setShare(savedRatio(savings), ColorRole::Good);
}

}  // namespace quarry
