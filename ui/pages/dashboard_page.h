// SPDX-License-Identifier: GPL-3.0-or-later
// How the store does right now and over the chosen span: figures, charts, where the bytes went, the busiest VMs, what goes on.
// Subscribes while it is visible. GUI thread only.
#pragma once

#include "app/models/stat_history.h"
#include "ui/pages/page.h"

namespace quarry {

class DashboardFigures;
class IoCharts;
class SavingsCard;
class SegmentedControl;

class DashboardPage : public Page {
  Q_OBJECT

 public:
  explicit DashboardPage(const ConsoleContext& context, QWidget* parent = nullptr);

 protected:
  QStringList watchedPrefixes() const override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeLowerRow();
  void setSpan(int index);
  void requestHistory();
  void onSample();
  void onStatus();
  void updateEmpty();

  SegmentedControl* m_spanControl;
  DashboardFigures* m_figures;
  IoCharts* m_charts;
  SavingsCard* m_savings = nullptr;
  StatHistory::Span m_span = StatHistory::Span::FiveMinutes;
};

}  // namespace quarry
