// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/vstorages_page.h"

#include <QItemSelectionModel>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/client/when_done.h"
#include "app/models/model_feed.h"
#include "app/models/roles.h"
#include "app/models/vstorage_model.h"
#include "app/settings/settings.h"
#include "ui/delegates/cell_delegate.h"
#include "ui/delegates/tone_delegate.h"
#include "ui/dialogs/remove_vstorage_dialog.h"
#include "ui/dialogs/vstorage_dialog.h"
#include "ui/pages/io_charts.h"
#include "ui/pages/vstorage_details.h"
#include "ui/theme/metrics.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/scroll.h"

namespace quarry {

VstoragesPage::VstoragesPage(const ConsoleContext& context, QWidget* parent)
    : Page(PageId::Vstorages, tr("vStorages"), context, parent),
      m_sorted(new QSortFilterProxyModel(this)),
      m_table(new DataTable(tr("vStorages"))),
      m_details(new VstorageDetails(context)),
      m_charts(new IoCharts(context.history)),
      m_create(new QPushButton(tr("Ne&w vstorage…"))),
      m_edit(new QPushButton(tr("&Edit…"))),
      m_remove(new QPushButton(tr("&Remove…"))) {
  m_sorted->setSourceModel(&context.vstorages);
  m_sorted->setSortRole(SortRole);
  makeHeader();
  makeContent();
  setEmptyState(new EmptyState(
      Icon::Vstorage, tr("Create your first vstorage"),
      tr("A vstorage is a datastore that ESXi, Proxmox or Linux hosts mount over NFS. Give it a name and say which hosts may mount it; "
         "the mount commands to copy appear here."),
      tr("Ne&w vstorage…")));
  connect(emptyState(), &EmptyState::actionTriggered, this, &VstoragesPage::createVstorage);
  connect(&context.feed, &ModelFeed::loaded, this, &VstoragesPage::onRowsChanged);
  connect(&context.feed, &ModelFeed::statusChanged, this, &VstoragesPage::showSelected);
  connect(&context.settings, &Settings::changed, this, &VstoragesPage::showSelected);
  connect(&context.engine, &EngineApi::connectionChanged, this, &VstoragesPage::showSelected);
  connect(m_sorted, &QAbstractItemModel::rowsInserted, this, &VstoragesPage::onRowsChanged);
  connect(m_sorted, &QAbstractItemModel::rowsRemoved, this, &VstoragesPage::onRowsChanged);
  connect(m_sorted, &QAbstractItemModel::dataChanged, this, &VstoragesPage::showSelected);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &VstoragesPage::showSelected);
  connect(m_table, &QAbstractItemView::activated, this, &VstoragesPage::editSelected);
  onRowsChanged();
}

void VstoragesPage::makeHeader() {
  m_create->setProperty("primary", true);
  m_remove->setProperty("danger", true);
  addToHeader(m_remove);
  addToHeader(m_edit);
  addToHeader(m_create);
  connect(m_create, &QPushButton::clicked, this, &VstoragesPage::createVstorage);
  connect(m_edit, &QPushButton::clicked, this, &VstoragesPage::editSelected);
  connect(m_remove, &QPushButton::clicked, this, &VstoragesPage::removeSelected);
}

void VstoragesPage::makeContent() {
  using Column = VstorageModel::Column;
  m_table->showModel(m_sorted, {{int(Column::Name), 0, 140},
                                {int(Column::WriteMode), 136, 0, 700},
                                {int(Column::Clients), 0, 120},
                                {int(Column::Vms), 64, 0, 560},
                                {int(Column::Mounts), 84, 0, 900},
                                {int(Column::Logical), 110},
                                {int(Column::Stored), 110},
                                {int(Column::Landing), 130, 0, 860},
                                {int(Column::Saved), 84},
                                {int(Column::MinAge), 130, 0, 960}});
  m_table->setItemDelegateForColumn(int(Column::WriteMode), new ToneDelegate(m_table, &writeModeRole));
  m_table->setItemDelegateForColumn(int(Column::Clients), new DimDelegate(m_table));
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(int(Column::Name), Qt::AscendingOrder);
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(metrics::pageMargin, 20, metrics::pageMargin, 20);
  column->setSpacing(metrics::cardGap);
  auto* tableCard = new QFrame;
  tableCard->setProperty("card", true);
  auto* tableColumn = new QVBoxLayout(tableCard);
  tableColumn->setContentsMargins(1, 4, 1, 4);
  tableColumn->addWidget(m_table);
  column->addWidget(tableCard);
  column->addWidget(m_details);
  m_charts->setMinimumHeight(200);
  column->addWidget(m_charts, 1);
  auto* whole = new QVBoxLayout(content());
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(makeScroll(inside));
}

// As high as its rows, within bounds; the rest of the page belongs to the selected vstorage.
void VstoragesPage::fitTable() {
  constexpr int rowsMin = 2, rowsMax = 6;
  m_table->setFixedHeight(m_table->heightForRows(std::clamp(m_sorted->rowCount(), rowsMin, rowsMax)) + 2);
}

void VstoragesPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  showSelected();
}

QString VstoragesPage::selected() const {
  const QModelIndex current = m_table->currentIndex();
  return current.isValid() ? current.siblingAtColumn(0).data(IdRole).toString() : QString();
}

void VstoragesPage::select(const QString& name) {
  for (int row = 0; row < m_sorted->rowCount(); ++row) {
    if (m_sorted->index(row, 0).data(IdRole).toString() == name) m_table->selectRow(row);
  }
}

void VstoragesPage::onRowsChanged() {
  showEmpty(m_context.feed.isLoaded() && m_sorted->rowCount() == 0);
  if (m_sorted->rowCount() > 0 && !m_table->currentIndex().isValid()) m_table->selectRow(0);
  fitTable();
  showSelected();
}

void VstoragesPage::showSelected() {
  const protocol::VstorageInfo* vstorage = m_context.vstorages.find(selected());
  const bool connected = m_context.engine.connection() == EngineApi::Connection::Connected;
  for (QPushButton* button : {m_create, emptyState()->button()}) button->setEnabled(connected);
  for (QPushButton* button : {m_edit, m_remove}) button->setEnabled(connected && vstorage != nullptr);
  m_details->display(vstorage);
  m_charts->setVisible(vstorage != nullptr);
  if (vstorage == nullptr || !m_charts->setPrefix(QStringLiteral("vstorage/") + QString::fromStdString(vstorage->name))) return;
  m_context.feed.requestHistory(m_charts->ids(), StatHistory::Span::FiveMinutes);
}

void VstoragesPage::createVstorage() {
  if (m_context.engine.connection() != EngineApi::Connection::Connected) return;
  auto* dialog = new VstorageDialog(m_context.vstorages, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RequestDialog::submitted, this, [this, dialog] { sendCreate(dialog); });
  dialog->open();
}

void VstoragesPage::editSelected() {
  const protocol::VstorageInfo* vstorage = m_context.vstorages.find(selected());
  if (vstorage == nullptr || !m_edit->isEnabled()) return;
  auto* dialog = new VstorageDialog(m_context.vstorages, *vstorage, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RequestDialog::submitted, this, [this, dialog] { sendSet(dialog); });
  dialog->open();
}

void VstoragesPage::removeSelected() {
  const protocol::VstorageInfo* vstorage = m_context.vstorages.find(selected());
  if (vstorage == nullptr) return;
  auto* dialog = new RemoveVstorageDialog(*vstorage, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RequestDialog::submitted, this, [this, dialog] { sendRemove(dialog); });
  dialog->open();
}

void VstoragesPage::sendCreate(VstorageDialog* dialog) {
  const QString name = QString::fromStdString(dialog->createRequest().name);
  const auto reply = m_context.engine.createVstorage(dialog->createRequest());
  dialog->await(reply);
  whenDone(reply, this, [this, name, dialog = QPointer(dialog)](const Result<protocol::VstorageInfo>& result) {
    if (!result) return reportUnseen(dialog, tr("%1 was not created").arg(name), result.error());
    m_context.feed.refresh();
    Q_EMIT notified(protocol::Severity::Info, tr("%1 is ready to be mounted").arg(name),
                    tr("The commands for your hosts are below the table."));
  });
}

void VstoragesPage::sendSet(VstorageDialog* dialog) {
  const QString name = QString::fromStdString(dialog->setRequest().name);
  const auto reply = m_context.engine.setVstorage(dialog->setRequest());
  dialog->await(reply);
  whenDone(reply, this, [this, name, dialog = QPointer(dialog)](const Result<protocol::VstorageInfo>& result) {
    if (!result) return reportUnseen(dialog, tr("%1 was not changed").arg(name), result.error());
    m_context.feed.refresh();
  });
}

void VstoragesPage::sendRemove(RemoveVstorageDialog* dialog) {
  const QString name = QString::fromStdString(dialog->request().name);
  const auto reply = m_context.engine.removeVstorage(dialog->request());
  dialog->await(reply);
  whenDone(reply, this, [this, name, dialog = QPointer(dialog)](const Result<>& result) {
    if (!result) return reportUnseen(dialog, tr("%1 was not removed").arg(name), result.error());
    m_context.feed.refresh();
    Q_EMIT notified(protocol::Severity::Info, tr("%1 was removed").arg(name), {});
  });
}

}  // namespace quarry
