// SPDX-License-Identifier: GPL-3.0-or-later
// The job that runs, with progress, rate, time left, what it found so far, and a way to cancel it. GUI thread only.
#pragma once

#include "app/client/console_context.h"
#include "ui/widgets/card.h"

class QLabel;
class QPushButton;

namespace quarry {

class Badge;
class Bar;
class ElidedLabel;

class RunningJobCard : public Card {
  Q_OBJECT

 public:
  explicit RunningJobCard(const ConsoleContext& context, QWidget* parent = nullptr);

 Q_SIGNALS:
  void cancelWanted(qint64 job);

 private:
  void showJob();

  ConsoleContext m_context;
  ElidedLabel* m_title;
  Badge* m_state;
  Bar* m_progress;
  ElidedLabel* m_numbers;
  ElidedLabel* m_found;
  ElidedLabel* m_file;
  QPushButton* m_cancel;
  QLabel* m_waiting;
};

}  // namespace quarry
