// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layouts.h"

#include <QLayout>
#include <QWidget>

namespace quarry {

void clearLayout(QLayout& layout) {
  while (QLayoutItem* item = layout.takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace quarry
