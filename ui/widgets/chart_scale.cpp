// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chart_scale.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "app/format/formatter.h"

namespace quarry {

namespace {

constexpr double roundNumbers[] = {1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10};

struct TimeDivision {
  double spanSeconds;
  int ticks;
  double unitSeconds;
  const char* unit;
};
constexpr TimeDivision timeDivisions[] = {
    {300, 5, 60, QT_TRANSLATE_NOOP("TimeAxis", "min")},
    {3600, 4, 60, QT_TRANSLATE_NOOP("TimeAxis", "min")},
    {86400, 4, 3600, QT_TRANSLATE_NOOP("TimeAxis", "h")},
    {2592000, 5, 86400, QT_TRANSLATE_NOOP("TimeAxis", "d")},
};

const TimeDivision& divisionOf(double spanSeconds) {
  for (const TimeDivision& division : timeDivisions) {
    if (spanSeconds <= division.spanSeconds) return division;
  }
  return timeDivisions[std::size(timeDivisions) - 1];
}

// The extremes of points[from, to), in the order of time.
void appendExtremes(QList<QPointF>& out, const QList<QPointF>& points, qsizetype from, qsizetype to) {
  const auto byValue = [](const QPointF& one, const QPointF& other) { return one.y() < other.y(); };
  const auto [lowest, highest] = std::minmax_element(points.begin() + from, points.begin() + to, byValue);
  if (lowest == highest) {
    out.append(*lowest);
  } else if (lowest < highest) {
    out.append(*lowest);
    out.append(*highest);
  } else {
    out.append(*highest);
    out.append(*lowest);
  }
}

}  // namespace

double roundUp(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double number : roundNumbers) {
    if (number * power >= value * (1 - 1e-9)) return number * power;
  }
  return 10 * power;
}

double ValueScale::divisor(double peak) const {
  switch (m_unit) {
    case protocol::Unit::Bytes:
    case protocol::Unit::BytesPerSecond: {
      double power = 1;
      while (power * 1024 <= peak) power *= 1024;
      return power;
    }
    case protocol::Unit::Microseconds: return 1000;
    case protocol::Unit::Ratio: return 0.01;
    case protocol::Unit::Count:
    case protocol::Unit::PerSecond:
    case protocol::Unit::Seconds: return 1;
  }
  return 1;
}

bool ValueScale::fit(double peak) {
  const double unitSize = divisor(std::max(peak, 1.0));
  const bool wholeNumbers = m_unit == protocol::Unit::Count || m_unit == protocol::Unit::PerSecond || unitSize == 1;
  const double least = wholeNumbers ? 1.0 : 0.01;
  const bool isShare = m_unit == protocol::Unit::Ratio && peak <= 1;  // always of the whole
  const double wanted = isShare ? 1 : std::max(roundUp(peak / unitSize / steps), least) * steps * unitSize;
  const bool first = m_maximum == 0;
  if (!first && wanted <= m_maximum && wanted > m_maximum / 2) return false;
  if (!first && wanted == m_maximum) return false;
  m_maximum = wanted;
  m_divisor = unitSize;
  return true;
}

QString ValueScale::label(int step) const { return formatter::number(m_maximum * step / steps / m_divisor); }

QString ValueScale::number(double value) const {
  return m_divisor == 1 ? formatter::figure(value, m_unit).number : formatter::number(value / m_divisor);
}

QString ValueScale::unitText() const { return formatter::figure(m_divisor, m_unit).unit; }

QList<TimeTick> timeTicks(double spanSeconds) {
  const TimeDivision& division = divisionOf(spanSeconds);
  QList<TimeTick> ticks;
  for (int i = 0; i < division.ticks; ++i) {
    const double seconds = -spanSeconds * (division.ticks - i) / division.ticks;
    QString text = QStringLiteral("−%1").arg(-seconds / division.unitSeconds);
    if (i == 0) text += u' ' + QCoreApplication::translate("TimeAxis", division.unit);
    ticks.append({seconds, text});
  }
  ticks.append({0, QCoreApplication::translate("TimeAxis", "now")});
  return ticks;
}

QList<QPointF> decimated(const QList<QPointF>& points, int columns) {
  if (columns <= 0 || points.size() <= 2 * columns) return points;
  const double first = points.first().x(), width = points.last().x() - first;
  if (!(width > 0)) return points;
  QList<QPointF> out;
  out.reserve(2 * columns);
  const auto columnOf = [&](qsizetype i) { return int((points[i].x() - first) / width * columns); };
  for (qsizetype from = 0; from < points.size();) {
    if (std::isnan(points[from].y())) {
      if (out.isEmpty() || !std::isnan(out.last().y())) out.append(points[from]);
      ++from;
      continue;
    }
    qsizetype to = from + 1;
    while (to < points.size() && columnOf(to) == columnOf(from) && !std::isnan(points[to].y())) ++to;
    appendExtremes(out, points, from, to);
    from = to;
  }
  return out;
}

QList<QList<QPointF>> withoutGaps(const QList<QPointF>& points) {
  QList<QList<QPointF>> stretches;
  bool open = false;
  for (const QPointF& point : points) {
    if (std::isnan(point.y())) {
      open = false;
      continue;
    }
    if (!open) stretches.append(QList<QPointF>());
    open = true;
    stretches.last().append(point);
  }
  return stretches;
}

}  // namespace quarry
