// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/tone_delegate.h"

#include <QPainter>

#include "app/format/write_mode_text.h"
#include "app/models/roles.h"

namespace quarry {

namespace {

bool losesWrites(const QModelIndex& index) { return isUnprotected(protocol::WriteMode(index.data(StateRole).toInt())); }

}  // namespace

void ToneDelegate::paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const {
  painter.setPen(color(m_roleOf(index)));
  paintText(painter, rect, index);
}

ColorRole writeModeRole(const QModelIndex& index) { return losesWrites(index) ? ColorRole::Bad : ColorRole::Text; }

ColorRole powerCutRole(const QModelIndex& index) { return losesWrites(index) ? ColorRole::Bad : ColorRole::Good; }

ColorRole warnAboveZero(const QModelIndex& index) { return index.data(ValueRole).toULongLong() > 0 ? ColorRole::Bad : ColorRole::Text; }

}  // namespace quarry
