// SPDX-License-Identifier: GPL-3.0-or-later
// Where the logical bytes went: one bar in four colours and below it a table of the same four with bytes and shares. GUI thread only.
#pragma once

#include <QWidget>

#include "engine/protocol/messages.h"

namespace quarry {

class SavingsBar : public QWidget {
  Q_OBJECT

 public:
  explicit SavingsBar(QWidget* parent = nullptr);

  void setSavings(const protocol::Savings& savings);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintBar(QPainter& painter) const;
  void paintTable(QPainter& painter) const;

  protocol::Savings m_savings;
  bool m_known = false;  // dashes until the first values
};

}  // namespace quarry
