// SPDX-License-Identifier: GPL-3.0-or-later
// Stands where a table would be when there is nothing yet: says what this place is for and offers the first thing to do.
// GUI thread only.
#pragma once

#include <QWidget>

#include "ui/theme/icons.h"

class QLabel;
class QPushButton;

namespace quarry {

class EmptyState : public QWidget {
  Q_OBJECT

 public:
  EmptyState(Icon icon, const QString& title, const QString& text, const QString& action = {}, QWidget* parent = nullptr);

  QPushButton* button() { return m_button; }

 Q_SIGNALS:
  void actionTriggered();

 private:
  QLabel* m_title;
  QLabel* m_text;
  QPushButton* m_button;
};

}  // namespace quarry
