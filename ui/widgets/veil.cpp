// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/veil.h"

#include <QPainter>

#include "ui/theme/colors.h"

namespace quarry {

Veil::Veil(QWidget* parent) : QWidget(parent) { setAttribute(Qt::WA_TransparentForMouseEvents); }

void Veil::paintEvent(QPaintEvent*) {
  QColor cover = color(ColorRole::Background);
  cover.setAlphaF(0.5F);
  QPainter(this).fillRect(rect(), cover);
}

}  // namespace quarry
