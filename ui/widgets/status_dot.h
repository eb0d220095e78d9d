// SPDX-License-Identifier: GPL-3.0-or-later
// A small disc in the colour of a state; words stand beside it. GUI thread only.
#pragma once

#include <QWidget>

#include "ui/theme/colors.h"

namespace quarry {

class StatusDot : public QWidget {
  Q_OBJECT

 public:
  explicit StatusDot(QWidget* parent = nullptr);

  void setRole(ColorRole role);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ColorRole m_role = ColorRole::Dim;
};

}  // namespace quarry
