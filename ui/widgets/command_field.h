// SPDX-License-Identifier: GPL-3.0-or-later
// A command to copy to another machine: what it is for, the command in a read-only field, and a button. GUI thread only.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace quarry {

class CommandField : public QWidget {
  Q_OBJECT

 public:
  explicit CommandField(const QString& title, QWidget* parent = nullptr);

  // An empty command shows the reason instead and cannot be copied.
  void setCommand(const QString& command, const QString& reasonIfEmpty = {});
  QString command() const;
  void copy();

 private:
  QLabel* m_title;
  QLineEdit* m_field;
  QToolButton* m_copy;
};

}  // namespace quarry
