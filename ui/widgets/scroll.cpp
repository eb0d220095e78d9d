// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/scroll.h"

#include <QScrollArea>

namespace quarry {

QScrollArea* makeScroll(QWidget* inside) {
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(inside);
  return scroll;
}

}  // namespace quarry
