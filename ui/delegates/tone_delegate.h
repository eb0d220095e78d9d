// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a cell's text in the colour that its row and column stand for. GUI thread only.
#pragma once

#include "ui/delegates/cell_delegate.h"
#include "ui/theme/colors.h"

namespace quarry {

class ToneDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using RoleOf = ColorRole (*)(const QModelIndex& index);

  ToneDelegate(DataTable* table, RoleOf roleOf) : CellDelegate(table), m_roleOf(roleOf) {}

 protected:
  void paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const override;

 private:
  RoleOf m_roleOf;
};

ColorRole writeModeRole(const QModelIndex& index);  // text, or a warning for the mode that a power cut hurts
ColorRole powerCutRole(const QModelIndex& index);   // good or bad, by the row's write mode
ColorRole warnAboveZero(const QModelIndex& index);  // bad for every value above 0

}  // namespace quarry
