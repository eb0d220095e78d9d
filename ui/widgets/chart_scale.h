// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a chart's axes, without pixels: a round maximum in four steps that follows the data without jumping, and labels by the
// distance from now. Plain functions and values; any thread.
#pragma once

#include <QList>
#include <QPointF>
#include <QString>

#include "engine/protocol/unit.h"

namespace quarry {

// Smallest of 1, 1.5, 2, 2.5, 3, 4, 5, 7.5 × 10^n that is not below the value.
double roundUp(double value);

class ValueScale {
 public:
  static constexpr int steps = 4;

  explicit ValueScale(protocol::Unit unit) : m_unit(unit) {}

  // Grows at once with the peak; shrinks only when the peak would fit in half of it. True when it changed.
  bool fit(double peak);
  double maximum() const { return m_maximum; }
  QString label(int step) const;       // number without unit
  QString number(double value) const;  // in the unit of the labels
  QString unitText() const;            // of all labels: "MiB/s", "ms", "" for counts

 private:
  double divisor(double peak) const;

  protocol::Unit m_unit;
  double m_maximum = 0;
  double m_divisor = 1;
};

struct TimeTick {
  double seconds = 0;  // from now, ≤ 0
  QString text;
};
QList<TimeTick> timeTicks(double spanSeconds);

// At most two points per column, its lowest and highest, in their order; NaN gaps stay.
QList<QPointF> decimated(const QList<QPointF>& points, int columns);
// The stretches between NaN values.
QList<QList<QPointF>> withoutGaps(const QList<QPointF>& points);

}  // namespace quarry
