// SPDX-License-Identifier: GPL-3.0-or-later
// One line at the bottom of the window: where hosts reach the store, how much is in it, what runs. GUI thread only.
#pragma once

#include <QFrame>

#include "app/client/console_context.h"

class QLabel;

namespace quarry {

class StatusLine : public QFrame {
  Q_OBJECT

 public:
  explicit StatusLine(const ConsoleContext& context, QWidget* parent = nullptr);

  QString text() const;

 private:
  void showStatus();
  void showJob();

  ConsoleContext m_context;
  QLabel* m_address;
  QLabel* m_counts;
  QLabel* m_vstorages;
  QLabel* m_state;
  QLabel* m_job;
};

}  // namespace quarry
