// SPDX-License-Identifier: GPL-3.0-or-later
// One line of plain text that ends in "…" when it does not fit, with the whole text as tooltip then. GUI thread only.
#pragma once

#include <QLabel>

#include "ui/theme/typography.h"

namespace quarry {

class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(TextStyle style = TextStyle::Body, Tone tone = Tone::Normal, QWidget* parent = nullptr);

  void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }
  bool isElided() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  Qt::TextElideMode m_mode = Qt::ElideRight;
};

}  // namespace quarry
