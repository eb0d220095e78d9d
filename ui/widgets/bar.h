// SPDX-License-Identifier: GPL-3.0-or-later
// A thin bar that is filled to a share, for progress and for parts of a whole. Negative: unknown, drawn unfilled. GUI thread only.
#pragma once

#include <QWidget>

#include "ui/theme/colors.h"

class QPainter;

namespace quarry {

class Bar : public QWidget {
  Q_OBJECT

 public:
  explicit Bar(ColorRole role = ColorRole::Accent, QWidget* parent = nullptr);

  void setShare(double share);
  void setRole(ColorRole role);
  double share() const { return m_share; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ColorRole m_role;
  double m_share = 0;
};

void drawBar(QPainter& painter, const QRectF& rect, double share, ColorRole role);

}  // namespace quarry
