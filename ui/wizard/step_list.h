// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the wizard at its left: done ones with a check mark, the current one filled, those to come pale. GUI thread only.
#pragma once

#include <QStringList>
#include <QWidget>

namespace quarry {

class StepList : public QWidget {
  Q_OBJECT

 public:
  explicit StepList(const QStringList& titles, QWidget* parent = nullptr);

  void setCurrent(int step);  // all before it are done
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QStringList m_titles;
  int m_current = 0;
};

}  // namespace quarry
