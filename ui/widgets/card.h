// SPDX-License-Identifier: GPL-3.0-or-later
// A bordered panel with a dim title, room for something at the right of it, and a column for content. GUI thread only.
#pragma once

#include <QFrame>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace quarry {

class Card : public QFrame {
  Q_OBJECT

 public:
  explicit Card(const QString& title, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  void addToHeader(QWidget* widget);
  QVBoxLayout* body() { return m_body; }

 private:
  QLabel* m_title;
  QHBoxLayout* m_header;
  QVBoxLayout* m_body;
};

// A one-pixel line between two parts of a card.
QFrame* makeSeparator(QWidget* parent = nullptr);

}  // namespace quarry
