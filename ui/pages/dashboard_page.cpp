// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/dashboard_page.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "app/models/model_feed.h"
#include "app/models/vstorage_model.h"
#include "app/settings/settings.h"
#include "ui/pages/busiest_vms_card.h"
#include "ui/pages/dashboard_figures.h"
#include "ui/pages/io_charts.h"
#include "ui/pages/now_card.h"
#include "ui/pages/savings_card.h"
#include "ui/theme/metrics.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/scroll.h"
#include "ui/widgets/segmented_control.h"

namespace quarry {

namespace {

QStringList spanTitles() {
  QStringList titles;
  for (size_t i = 0; i < StatHistory::spanCount; ++i) titles << StatHistory::title(StatHistory::Span(i));
  return titles;
}

int spanIndex(int seconds) {
  for (size_t i = 0; i < StatHistory::spanCount; ++i) {
    if (StatHistory::seconds(StatHistory::Span(i)) == uint64_t(seconds)) return int(i);
  }
  return 0;
}

}  // namespace

DashboardPage::DashboardPage(const ConsoleContext& context, QWidget* parent)
    : Page(PageId::Dashboard, tr("Dashboard"), context, parent),
      m_spanControl(new SegmentedControl(tr("Time span"))),
      m_figures(new DashboardFigures(context)),
      m_charts(new IoCharts(context.history)) {
  m_spanControl->setSegments(spanTitles());
  addToHeader(m_spanControl);

  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(metrics::pageMargin, 20, metrics::pageMargin, 20);
  column->setSpacing(metrics::cardGap);
  column->addWidget(m_figures);
  m_charts->setMinimumHeight(210);
  m_charts->setPrefix(QStringLiteral("engine"));
  column->addWidget(m_charts, 1);
  column->addWidget(makeLowerRow());
  auto* whole = new QVBoxLayout(content());
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(makeScroll(inside));

  setEmptyState(new EmptyState(
      Icon::Vstorage, tr("Create your first vstorage"),
      tr("A vstorage is a datastore that your hosts mount over NFS. Once VM disks are written into it, their I/O and savings appear here."),
      tr("Ne&w vstorage…")));
  connect(emptyState(), &EmptyState::actionTriggered, this, &Page::vstorageWanted);
  connect(m_spanControl, &SegmentedControl::currentChanged, this, &DashboardPage::setSpan);
  connect(&context.history, &StatHistory::appended, this, &DashboardPage::onSample);
  connect(&context.feed, &ModelFeed::statusChanged, this, &DashboardPage::onStatus);
  connect(&context.feed, &ModelFeed::loaded, this, &DashboardPage::updateEmpty);
  connect(&context.vstorages, &QAbstractItemModel::rowsInserted, this, &DashboardPage::updateEmpty);
  connect(&context.vstorages, &QAbstractItemModel::rowsRemoved, this, &DashboardPage::updateEmpty);
  m_spanControl->setCurrent(spanIndex(context.settings.number(Setting::ChartSpanSeconds)));
  onStatus();
}

QWidget* DashboardPage::makeLowerRow() {
  auto* lower = new QWidget;
  auto* row = new QHBoxLayout(lower);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(metrics::cardGap);
  m_savings = new SavingsCard;
  auto* busiest = new BusiestVmsCard(m_context);
  auto* now = new NowCard(m_context);
  busiest->setMinimumWidth(220);
  now->setMinimumWidth(180);
  row->addWidget(m_savings, 10);
  row->addWidget(busiest, 13);
  row->addWidget(now, 10);
  connect(busiest, &BusiestVmsCard::opened, this, &Page::vmWanted);
  connect(now, &NowCard::eventsWanted, this, [this] { Q_EMIT pageRequested(PageId::Events); });
  return lower;
}

QStringList DashboardPage::watchedPrefixes() const { return {QStringLiteral("cache/"), QStringLiteral("engine/"), QStringLiteral("vm/")}; }

void DashboardPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  requestHistory();
  m_charts->refresh();
  onSample();
}

void DashboardPage::setSpan(int index) {
  m_span = StatHistory::Span(index);
  m_context.settings.set(Setting::ChartSpanSeconds, int(StatHistory::seconds(m_span)));
  m_charts->setSpan(m_span);
  requestHistory();
}

void DashboardPage::requestHistory() { m_context.feed.requestHistory(m_charts->ids(), m_span); }

void DashboardPage::onSample() {
  if (!isVisible()) return;
  m_figures->showIo();
  m_figures->showCache();
}

void DashboardPage::onStatus() {
  m_figures->showSavings();
  if (const auto& status = m_context.feed.status()) m_savings->setSavings(status->savings, status->space);
  updateEmpty();
}

void DashboardPage::updateEmpty() { showEmpty(m_context.feed.isLoaded() && m_context.vstorages.rowCount() == 0); }

}  // namespace quarry
