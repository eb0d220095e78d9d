// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/busiest_vms_card.h"

#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "app/models/model_feed.h"
#include "app/models/roles.h"
#include "app/models/vm_model.h"
#include "ui/delegates/sparkline_delegate.h"
#include "ui/widgets/data_table.h"

namespace quarry {

BusiestVmsModel::BusiestVmsModel(QAbstractItemModel& vms, QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(SortRole);
  setDynamicSortFilter(false);
  setSourceModel(&vms);
  rank();
}

void BusiestVmsModel::rank() {
  const QAbstractItemModel& vms = *sourceModel();
  std::vector<std::pair<double, QString>> all;
  for (int row = 0; row < vms.rowCount(); ++row) {
    const QModelIndex cell = vms.index(row, int(VmModel::Column::Iops));
    all.emplace_back(cell.data(SortRole).toDouble(), cell.data(IdRole).toString());
  }
  const size_t count = std::min(all.size(), size_t(rowsMax));
  std::partial_sort(all.begin(), all.begin() + std::ptrdiff_t(count), all.end(), std::greater<>());
  m_chosen.clear();
  for (size_t i = 0; i < count; ++i) m_chosen.insert(all[i].second);
  invalidateFilter();
  sort(int(VmModel::Column::Iops), Qt::DescendingOrder);
}

bool BusiestVmsModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  return m_chosen.contains(sourceModel()->index(row, 0, parent).data(IdRole).toString());
}

BusiestVmsCard::BusiestVmsCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("Busiest virtual machines"), parent),
      m_model(new BusiestVmsModel(context.vms, this)),
      m_table(new DataTable(tr("Busiest virtual machines"))) {
  using Column = VmModel::Column;
  m_table->showModel(
      m_model,
      {{int(Column::Name), 0, 100}, {int(Column::Iops), 132}, {int(Column::ReadLatency), 96, 0, 400}, {int(Column::Saved), 74, 0, 320}});
  m_table->setItemDelegateForColumn(int(Column::Iops), new SparklineDelegate(m_table));
  const QString none = tr("No virtual machine has been written here yet.");
  m_table->setText(context.feed.isLoaded() ? none : tr("Loading…"));
  connect(&context.feed, &ModelFeed::loaded, m_table, [this, none] { m_table->setText(none); });
  m_table->setFixedHeight(m_table->heightForRows(BusiestVmsModel::rowsMax));
  m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  body()->addWidget(m_table);
  body()->addStretch();
  connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    const auto textOf = [&index](Column column) { return index.siblingAtColumn(int(column)).data(ValueRole).toString(); };
    Q_EMIT opened(textOf(Column::Vstorage), textOf(Column::Name));
  });
  connect(&context.vms, &QAbstractItemModel::rowsInserted, m_model, &BusiestVmsModel::rank);
  connect(&context.vms, &QAbstractItemModel::rowsRemoved, m_model, &BusiestVmsModel::rank);
  m_rankSoon.setSingleShot(true);
  connect(&m_rankSoon, &QTimer::timeout, m_model, &BusiestVmsModel::rank);
  connect(&context.vms, &QAbstractItemModel::dataChanged, this, [this] {
    if (isVisible() && !m_rankSoon.isActive()) m_rankSoon.start(0);
  });
}

}  // namespace quarry
