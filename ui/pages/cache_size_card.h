// SPDX-License-Identifier: GPL-3.0-or-later
// How much RAM is worth it: the hit-ratio curve with today's size, the advised one and the one chosen with the slider, in words what it
// would save, and the button that sets it. GUI thread only.
#pragma once

#include "app/client/console_context.h"
#include "ui/widgets/card.h"

class QPushButton;

namespace quarry {

class CacheSizeInput;
class HitCurve;
struct Error;

class CacheSizeCard : public Card {
  Q_OBJECT

 public:
  explicit CacheSizeCard(const ConsoleContext& context, QWidget* parent = nullptr);

  CacheSizeInput& input() { return *m_input; }
  QPushButton* setButton() { return m_set; }
  QPushButton* adviceButton() { return m_take; }
  QString words() const;  // what stands below the curve

 Q_SIGNALS:
  void sizeSet(quint64 bytes);

 private:
  void makeContent();
  void showAll();
  void showCurve();
  void showWords();
  void setSize();
  void onRefused(const Error& error);

  ConsoleContext m_context;
  CacheSizeInput* m_input;
  HitCurve* m_curve;
  QLabel* m_measured;
  QLabel* m_words;
  QPushButton* m_take;
  QPushButton* m_set;
  QString m_refusal;  // of the size in the box
  bool m_waiting = false;
};

}  // namespace quarry
