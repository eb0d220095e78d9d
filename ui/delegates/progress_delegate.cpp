// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/progress_delegate.h"

#include <QPainter>

#include "app/models/roles.h"
#include "ui/widgets/bar.h"

namespace quarry {

void ProgressDelegate::paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const {
  constexpr qreal numberRoom = 48;
  drawBar(painter, QRectF(rect.left(), rect.center().y() - 3, rect.width() - numberRoom, 6), index.data(ProgressRole).toDouble(),
          ColorRole::Accent);
  paintText(painter, rect, index);
}

}  // namespace quarry
