// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the cell's RingRole as a small line; with room for the number, at the right of it. GUI thread only.
#pragma once

#include <QList>

#include "ui/delegates/cell_delegate.h"

namespace quarry {

class SparklineDelegate : public CellDelegate {
  Q_OBJECT

 public:
  static constexpr int lineWidthMax = 90;
  static constexpr int numberRoom = 52;

  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const override;
};

void drawSparkline(QPainter& painter, const QRectF& rect, const QList<double>& values);

}  // namespace quarry
