// SPDX-License-Identifier: GPL-3.0-or-later
// A row of joined buttons of which one is chosen. Arrow keys move the choice. GUI thread only.
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace quarry {

class SegmentedControl : public QWidget {
  Q_OBJECT

 public:
  explicit SegmentedControl(const QString& accessibleName, QWidget* parent = nullptr);

  void setSegments(const QStringList& texts);  // keeps the choice when it still exists
  void setCurrent(int index);
  int current() const;
  int count() const;

 Q_SIGNALS:
  void currentChanged(int index);

 private:
  QHBoxLayout* m_row;
  QButtonGroup* m_group;
};

}  // namespace quarry
