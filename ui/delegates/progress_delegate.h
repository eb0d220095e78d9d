// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a cell's ProgressRole as a thin bar with the percentage. GUI thread only.
#pragma once

#include "ui/delegates/cell_delegate.h"

namespace quarry {

class ProgressDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const override;
};

}  // namespace quarry
