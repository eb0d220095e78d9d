// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a cell's text as a badge in the colour that its StateRole stands for. GUI thread only.
#pragma once

#include "ui/delegates/cell_delegate.h"
#include "ui/theme/colors.h"

namespace quarry {

class StateDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using RoleOf = ColorRole (*)(int state);

  StateDelegate(DataTable* table, RoleOf roleOf) : CellDelegate(table), m_roleOf(roleOf) {}

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const override;

 private:
  RoleOf m_roleOf;
};

ColorRole jobStateRole(int state);
ColorRole severityRole(int severity);

}  // namespace quarry
