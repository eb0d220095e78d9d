// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cache_vstorages_card.h"

#include <QItemSelectionModel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>
#include <algorithm>

#include "app/client/engine_api.h"
#include "app/models/cache_model.h"
#include "app/models/roles.h"
#include "ui/delegates/tone_delegate.h"
#include "ui/widgets/data_table.h"

namespace quarry {

CacheVstoragesCard::CacheVstoragesCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("When is a write acknowledged?"), parent),
      m_context(context),
      m_sorted(new QSortFilterProxyModel(this)),
      m_table(new DataTable(tr("When is a write acknowledged?"))),
      m_change(new QPushButton(tr("&Change…"))) {
  using Column = CacheModel::Column;
  m_sorted->setSourceModel(&context.cache);
  m_sorted->setSortRole(SortRole);
  m_table->showModel(m_sorted, {{int(Column::Name), 0, 96},
                                {int(Column::Mode), 206},
                                {int(Column::PowerCut), 190, 0, 560},
                                {int(Column::HitRatio), 84, 0, 700},
                                {int(Column::Absorbed), 92, 0, 880},
                                {int(Column::Dirty), 88, 0, 780},
                                {int(Column::Unprotected), 112}});
  m_table->setItemDelegateForColumn(int(Column::Mode), new ToneDelegate(m_table, &writeModeRole));
  m_table->setItemDelegateForColumn(int(Column::PowerCut), new ToneDelegate(m_table, &powerCutRole));
  m_table->setItemDelegateForColumn(int(Column::Unprotected), new ToneDelegate(m_table, &warnAboveZero));
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(int(Column::Name), Qt::AscendingOrder);
  m_table->setText(tr("Loading…"));
  m_change->setToolTip(tr("Change when writes of the selected vstorage are acknowledged"));
  addToHeader(m_change);
  body()->addWidget(m_table);
  connect(m_change, &QPushButton::clicked, this, &CacheVstoragesCard::askForChange);
  connect(m_table, &QAbstractItemView::activated, this, &CacheVstoragesCard::askForChange);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CacheVstoragesCard::onRowsChanged);
  connect(m_sorted, &QAbstractItemModel::rowsInserted, this, &CacheVstoragesCard::onRowsChanged);
  connect(m_sorted, &QAbstractItemModel::rowsRemoved, this, &CacheVstoragesCard::onRowsChanged);
  connect(&context.engine, &EngineApi::connectionChanged, this, &CacheVstoragesCard::onRowsChanged);
  onRowsChanged();
}

QString CacheVstoragesCard::selected() const {
  const QModelIndex current = m_table->currentIndex();
  return current.isValid() ? current.siblingAtColumn(0).data(IdRole).toString() : QString();
}

void CacheVstoragesCard::select(const QString& vstorage) {
  for (int row = 0; row < m_sorted->rowCount(); ++row) {
    if (m_sorted->index(row, 0).data(IdRole).toString() == vstorage) m_table->selectRow(row);
  }
}

// As high as its rows, within bounds.
void CacheVstoragesCard::onRowsChanged() {
  constexpr int rowsMin = 2, rowsMax = 6;
  if (m_sorted->rowCount() > 0 && !m_table->currentIndex().isValid()) m_table->selectRow(0);
  m_table->setFixedHeight(m_table->heightForRows(std::clamp(m_sorted->rowCount(), rowsMin, rowsMax)) + 2);
  m_change->setEnabled(m_context.engine.connection() == EngineApi::Connection::Connected && !selected().isEmpty());
}

void CacheVstoragesCard::askForChange() {
  if (m_change->isEnabled()) Q_EMIT changeWanted(selected());
}

}  // namespace quarry
