// SPDX-License-Identifier: GPL-3.0-or-later
// One entry of the navigation: icon and title on a line, filled while its page is shown. GUI thread only.
#pragma once

#include <QAbstractButton>

#include "ui/theme/icons.h"

namespace quarry {

class NavigationButton : public QAbstractButton {
  Q_OBJECT

 public:
  NavigationButton(Icon icon, const QString& title, QWidget* parent = nullptr);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Icon m_icon;
};

}  // namespace quarry
