// SPDX-License-Identifier: GPL-3.0-or-later
// A word on a pale pill in the colour of its meaning. GUI thread only.
#pragma once

#include <QString>
#include <QWidget>

#include "ui/theme/colors.h"

class QPainter;

namespace quarry {

class Badge : public QWidget {
  Q_OBJECT

 public:
  explicit Badge(const QString& text = {}, ColorRole role = ColorRole::Dim, QWidget* parent = nullptr);

  void set(const QString& text, ColorRole role);
  QString text() const { return m_text; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_text;
  ColorRole m_role;
};

// Draws the pill at the left of rect, vertically centred.
void drawBadge(QPainter& painter, const QRectF& rect, const QString& text, ColorRole role);

}  // namespace quarry
