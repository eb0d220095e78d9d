// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/events_page.h"

#include <QVBoxLayout>

#include "app/models/event_model.h"
#include "app/models/model_feed.h"
#include "app/models/roles.h"
#include "ui/delegates/cell_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/theme/metrics.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_control.h"

namespace quarry {

EventFilterModel::EventFilterModel(QAbstractItemModel& events, QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(SortRole);
  setSourceModel(&events);
}

void EventFilterModel::setLeast(protocol::Severity severity) {
  m_least = severity;
  invalidateFilter();
}

bool EventFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  return sourceModel()->index(row, int(EventModel::Column::Severity), parent).data(StateRole).toInt() >= int(m_least);
}

EventsPage::EventsPage(const ConsoleContext& context, QWidget* parent)
    : Page(PageId::Events, tr("Events"), context, parent),
      m_filtered(new EventFilterModel(context.events, this)),
      m_severity(new SegmentedControl(tr("Which events"))),
      m_table(new DataTable(tr("Events"))) {
  m_severity->setSegments({tr("All"), tr("Warnings and errors"), tr("Errors")});
  addToHeader(m_severity);
  using Column = EventModel::Column;
  m_table->showModel(m_filtered,
                     {{int(Column::Time), 180}, {int(Column::Severity), 100}, {int(Column::Subject), 240}, {int(Column::Text), 0, 300}});
  m_table->setItemDelegateForColumn(int(Column::Severity), new StateDelegate(m_table, &severityRole));
  for (const Column column : {Column::Time, Column::Subject}) m_table->setItemDelegateForColumn(int(column), new DimDelegate(m_table));
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(int(Column::Time), Qt::DescendingOrder);
  auto* column = new QVBoxLayout(content());
  column->setContentsMargins(metrics::pageMargin, 20, metrics::pageMargin, 20);
  auto* card = new QFrame;
  card->setProperty("card", true);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(1, 2, 1, 2);
  inside->addWidget(m_table);
  column->addWidget(card);
  setEmptyState(new EmptyState(Icon::Events, tr("Nothing has happened yet"),
                               tr("Warnings about space, damaged data or refused hosts, and what jobs did, are listed here.")));
  connect(m_severity, &SegmentedControl::currentChanged, this, [this](int index) {
    m_filtered->setLeast(protocol::Severity(index));
    onRowsChanged();
  });
  connect(&context.feed, &ModelFeed::loaded, this, &EventsPage::onRowsChanged);
  connect(&context.events, &QAbstractItemModel::rowsInserted, this, &EventsPage::onRowsChanged);
  connect(&context.events, &QAbstractItemModel::rowsRemoved, this, &EventsPage::onRowsChanged);
  onRowsChanged();
}

void EventsPage::setLeast(protocol::Severity severity) { m_severity->setCurrent(int(severity)); }

void EventsPage::onRowsChanged() {
  showEmpty(m_context.feed.isLoaded() && m_context.events.rowCount() == 0);
  m_table->setText(m_context.feed.isLoaded() ? tr("No event of this severity: all is well.") : tr("Loading…"));
}

}  // namespace quarry
