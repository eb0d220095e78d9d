// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/sparkline_delegate.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "app/models/roles.h"
#include "ui/theme/colors.h"

namespace quarry {

namespace {

// Means of about two pixels each; a live ring has more samples than the cell has pixels.
QList<double> condensed(const QList<double>& values, qsizetype wanted) {
  if (values.size() <= wanted) return values;
  QList<double> means;
  for (qsizetype i = 0; i < wanted; ++i) {
    double sum = 0;
    int count = 0;
    for (qsizetype at = values.size() * i / wanted; at < values.size() * (i + 1) / wanted; ++at) {
      if (std::isnan(values[at])) continue;
      sum += values[at];
      ++count;
    }
    means.append(count == 0 ? std::nan("") : sum / count);
  }
  return means;
}

}  // namespace

void SparklineDelegate::paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const {
  paintText(painter, rect, index);
  QRectF line = rect.adjusted(0, 7, -numberRoom, -7);
  if (line.width() < 20) return;
  if (line.width() > lineWidthMax) line.setLeft(line.right() - lineWidthMax);
  drawSparkline(painter, line, index.data(RingRole).value<QList<double>>());
}

void drawSparkline(QPainter& painter, const QRectF& rect, const QList<double>& values) {
  const QList<double> shown = condensed(values, qsizetype(rect.width() / 2));
  double peak = 0;
  for (const double value : shown) {
    if (value > peak) peak = value;
  }
  QPainterPath path;
  bool open = false;
  for (qsizetype i = 0; i < shown.size(); ++i) {
    if (std::isnan(shown[i])) {
      open = false;
      continue;
    }
    const qreal x = rect.left() + rect.width() * double(i) / double(std::max<qsizetype>(1, shown.size() - 1));
    const QPointF point(x, peak > 0 ? rect.bottom() - rect.height() * shown[i] / peak : rect.bottom());
    if (open) {
      path.lineTo(point);
    } else {
      path.moveTo(point);
    }
    open = true;
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(ColorRole::Read), 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(path);
}

}  // namespace quarry
