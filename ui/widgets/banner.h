// SPDX-License-Identifier: GPL-3.0-or-later
// A line across the page that says what is wrong and offers one action. Not modal. GUI thread only.
#pragma once

#include <QFrame>

#include "ui/theme/colors.h"

class QLabel;
class QPushButton;

namespace quarry {

class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);

  void display(ColorRole role, const QString& text, const QString& action = {});
  QString text() const;

 Q_SIGNALS:
  void actionTriggered();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ColorRole m_role = ColorRole::Warning;
  QLabel* m_text;
  QPushButton* m_action;
};

}  // namespace quarry
