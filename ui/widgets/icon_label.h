// SPDX-License-Identifier: GPL-3.0-or-later
// Shows one icon in one role and follows the theme. GUI thread only.
#pragma once

#include <QWidget>

#include "ui/theme/icons.h"

namespace quarry {

class IconLabel : public QWidget {
  Q_OBJECT

 public:
  IconLabel(Icon icon, ColorRole role, int size, QWidget* parent = nullptr);

  void set(Icon icon, ColorRole role);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Icon m_icon;
  ColorRole m_role;
};

}  // namespace quarry
