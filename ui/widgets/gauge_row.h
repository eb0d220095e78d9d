// SPDX-License-Identifier: GPL-3.0-or-later
// One number against its maximum: a word at the left, the number at the right, a thin bar below. GUI thread only.
#pragma once

#include <QString>
#include <QWidget>

#include "ui/theme/colors.h"

namespace quarry {

class Bar;
class ElidedLabel;

class GaugeRow : public QWidget {
  Q_OBJECT

 public:
  GaugeRow(const QString& title, ColorRole role, QWidget* parent = nullptr);

  void setBytes(uint64_t bytes, uint64_t bytesMax);
  void setLoading();  // a dash
  QString valueText() const;
  double share() const;

 private:
  ElidedLabel* m_value;
  Bar* m_bar;
};

}  // namespace quarry
