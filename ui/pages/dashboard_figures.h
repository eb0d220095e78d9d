// SPDX-License-Identifier: GPL-3.0-or-later
// The row of big numbers on the dashboard. GUI thread only.
#pragma once

#include <QWidget>

#include "app/client/console_context.h"

namespace quarry {

class FigureCard;

class DashboardFigures : public QWidget {
  Q_OBJECT

 public:
  explicit DashboardFigures(const ConsoleContext& context, QWidget* parent = nullptr);

  void showIo();       // from the newest sample
  void showCache();    // from the newest sample, and what the cache was last told to be
  void showSavings();  // from the newest status

 private:
  ConsoleContext m_context;
  FigureCard* m_iops;
  FigureCard* m_latency;
  FigureCard* m_hits;
  FigureCard* m_waiting;
  FigureCard* m_saved;
};

}  // namespace quarry
