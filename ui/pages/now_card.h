// SPDX-License-Identifier: GPL-3.0-or-later
// What goes on at the moment: the running job and what needs attention. GUI thread only.
#pragma once

#include <QStringList>

#include "app/client/console_context.h"
#include "ui/widgets/card.h"

class QLabel;
class QVBoxLayout;

namespace quarry {

class Bar;
class ElidedLabel;

class NowCard : public Card {
  Q_OBJECT

 public:
  static constexpr int eventsMax = 3;

  explicit NowCard(const ConsoleContext& context, QWidget* parent = nullptr);

 Q_SIGNALS:
  void eventsWanted();

 private:
  void showAll();
  void showJob();
  void showEvents();

  ConsoleContext m_context;
  ElidedLabel* m_job;
  Bar* m_progress;
  QLabel* m_numbers;
  QVBoxLayout* m_events;
  QStringList m_shown;  // texts of the rows
};

}  // namespace quarry
