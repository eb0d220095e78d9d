// SPDX-License-Identifier: GPL-3.0-or-later
// Column titles that stand exactly over their cells, left or right, with the sort arrow beside the title. GUI thread only.
#pragma once

#include <QHeaderView>

namespace quarry {

class TableHeader : public QHeaderView {
  Q_OBJECT

 public:
  explicit TableHeader(QWidget* parent = nullptr);

  int titleWidth(int section) const;  // with its padding

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

}  // namespace quarry
