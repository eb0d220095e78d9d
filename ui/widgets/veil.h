// SPDX-License-Identifier: GPL-3.0-or-later
// Dims what is below it and lets the mouse through: old values stay readable but do not look alive. GUI thread only.
#pragma once

#include <QWidget>

namespace quarry {

class Veil : public QWidget {
  Q_OBJECT

 public:
  explicit Veil(QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace quarry
