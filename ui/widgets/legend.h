// SPDX-License-Identifier: GPL-3.0-or-later
// Coloured keys with words in one line: "▬ read 6,202  ▬ write 2,712". GUI thread only.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include "ui/theme/colors.h"

namespace quarry {

struct LegendKey {
  ColorRole role;
  QString name;
  QString value = {};  // left out where there is no room

  bool operator==(const LegendKey&) const = default;
};

class Legend : public QWidget {
  Q_OBJECT

 public:
  enum class Detail { Names, Values };  // the values are left out where they do not fit

  explicit Legend(Qt::Alignment side, QWidget* parent = nullptr);  // where it stands when there is room

  void setKeys(const QList<LegendKey>& keys);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int widthFor(Detail detail) const;

  Qt::Alignment m_side;
  QList<LegendKey> m_keys;
};

}  // namespace quarry
