// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/vms_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>
#include <algorithm>

#include "app/format/formatter.h"
#include "app/models/model_feed.h"
#include "app/models/roles.h"
#include "app/models/stat_history.h"
#include "app/models/vm_model.h"
#include "app/models/vstorage_model.h"
#include "ui/delegates/cell_delegate.h"
#include "ui/delegates/sparkline_delegate.h"
#include "ui/pages/vm_details_panel.h"
#include "ui/pages/vm_filter_model.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_control.h"

namespace quarry {

namespace {

using Column = VmModel::Column;

const QList<ColumnLook>& columnLooks() {
  // What a narrow table leaves out first is what the others imply: name, load, latency and savings stay.
  static const QList<ColumnLook> looks{
      {int(Column::Name), 0, 136},           {int(Column::Vstorage), 78, 0, 640},     {int(Column::Guest), 96, 0, 860},
      {int(Column::Iops), 118},              {int(Column::ReadIops), 70, 0, 1200},    {int(Column::WriteIops), 70, 0, 1200},
      {int(Column::Throughput), 94, 0, 760}, {int(Column::ReadLatency), 90},          {int(Column::WriteLatency), 90, 0, 960},
      {int(Column::IoSize), 82, 0, 1120},    {int(Column::HitRatio), 82, 0, 1040},   {int(Column::Logical), 82, 0, 680},      {int(Column::Stored), 82},
      {int(Column::Saved), 72}};
  return looks;
}

}  // namespace

VmsPage::VmsPage(const ConsoleContext& context, QWidget* parent)
    : Page(PageId::Vms, tr("Virtual machines"), context, parent),
      m_filtered(new VmFilterModel(context.vms, this)),
      m_search(new QLineEdit),
      m_chips(new SegmentedControl(tr("Vstorage"))),
      m_vstorage(new QComboBox),
      m_average(makeLabel({}, TextStyle::Body, Tone::Dim)),
      m_table(new DataTable(tr("Virtual machines"))),
      m_details(new VmDetailsPanel(context)) {
  auto* csv = new QPushButton(icon(Icon::Export), tr("&CSV…"));
  csv->setToolTip(tr("Save the rows shown as a CSV file"));
  addToHeader(csv);
  makeContent();
  setEmptyState(new EmptyState(
      Icon::Vm, tr("No virtual machines yet"),
      tr("Mount a vstorage on a host and move or create a VM on it: every folder with a .vmx or a disk image appears here by itself."),
      tr("Show mount commands")));
  connect(emptyState(), &EmptyState::actionTriggered, this, [this] { Q_EMIT pageRequested(PageId::Vstorages); });
  connect(csv, &QPushButton::clicked, this, &VmsPage::exportCsv);
  connect(m_search, &QLineEdit::textChanged, m_filtered, &VmFilterModel::setText);
  connect(m_search, &QLineEdit::textChanged, this, &VmsPage::showAverage);
  connect(m_chips, &SegmentedControl::currentChanged, this, &VmsPage::filterVstorage);
  connect(m_vstorage, &QComboBox::activated, this, &VmsPage::filterVstorage);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &VmsPage::showSelected);
  connect(m_details, &VmDetailsPanel::closed, m_table, [this] { m_table->setCurrentIndex({}); });
  connect(&context.feed, &ModelFeed::loaded, this, &VmsPage::onRowsChanged);
  connect(&context.vms, &QAbstractItemModel::rowsInserted, this, &VmsPage::onRowsChanged);
  connect(&context.vms, &QAbstractItemModel::rowsRemoved, this, &VmsPage::onRowsChanged);
  connect(&context.history, &StatHistory::appended, this, [this] {
    if (isVisible()) showAverage();
  });
  onRowsChanged();
}

void VmsPage::makeContent() {
  m_table->showModel(m_filtered, columnLooks());
  m_table->setItemDelegateForColumn(int(Column::Iops), new SparklineDelegate(m_table));
  for (const Column column : {Column::Guest, Column::Vstorage}) m_table->setItemDelegateForColumn(int(column), new DimDelegate(m_table));
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(int(Column::Name), Qt::AscendingOrder);
  m_table->setText(tr("No virtual machine matches the filter."));
  auto* column = new QVBoxLayout(content());
  column->setContentsMargins(metrics::pageMargin, 20, metrics::pageMargin, 20);
  column->setSpacing(metrics::cardGap);
  column->addWidget(makeFilterRow());
  auto* card = new QFrame;
  card->setProperty("card", true);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(1, 2, 1, 2);
  inside->addWidget(m_table);
  column->addWidget(card, 1);
  column->addWidget(m_details);
}

QWidget* VmsPage::makeFilterRow() {
  auto* filters = new QWidget;
  auto* row = new QHBoxLayout(filters);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  m_search->setPlaceholderText(tr("Filter by name or guest…"));
  m_search->setAccessibleName(tr("Filter by name or guest"));
  m_search->setClearButtonEnabled(true);
  m_search->addAction(icon(Icon::Search), QLineEdit::LeadingPosition);
  m_search->setMinimumWidth(140);
  m_search->setMaximumWidth(280);
  row->addWidget(m_search, 1);
  row->addWidget(m_chips);
  m_vstorage->setAccessibleName(tr("Vstorage"));
  m_vstorage->setMaximumWidth(260);
  row->addWidget(m_vstorage);
  row->addStretch(1);
  row->addWidget(m_average);
  return filters;
}

QStringList VmsPage::watchedPrefixes() const { return {QStringLiteral("vm/")}; }

void VmsPage::onRowsChanged() {
  showEmpty(m_context.feed.isLoaded() && m_context.vms.rowCount() == 0);
  m_table->setText(m_context.feed.isLoaded() ? tr("No virtual machine matches the filter.") : tr("Loading…"));
  showChips();
  showAverage();
  showSelected();
}

void VmsPage::filterVstorage(int index) {
  m_filtered->setVstorage(index <= 0 ? QString() : m_chipNames.value(index - 1));
  showAverage();
}

// Chips while they fit, else a list. The choice follows its name: what is lit is what is filtered.
void VmsPage::showChips() {
  constexpr qsizetype chipsMax = 6;
  const QString chosen = m_filtered->vstorage();
  QStringList names, texts{tr("All %1").arg(m_context.vms.rowCount())};
  for (const protocol::VstorageInfo& vstorage : m_context.vstorages.rows()) {
    const auto inIt = [&](const protocol::VmInfo& vm) { return vm.vstorage == vstorage.name; };
    const auto count = std::count_if(m_context.vms.rows().begin(), m_context.vms.rows().end(), inIt);
    if (count == 0) continue;
    names << QString::fromStdString(vstorage.name);
    const QString shown = m_chips->fontMetrics().elidedText(names.last(), Qt::ElideMiddle, 160);
    texts << QStringLiteral("%1 %2").arg(shown).arg(count);
  }
  m_chipNames = names;
  const bool many = names.size() > chipsMax;
  const int index = int(names.indexOf(chosen)) + 1;
  m_chips->setSegments(many ? QStringList{texts.front()} : texts);
  m_chips->setCurrent(many ? 0 : index);
  m_vstorage->clear();
  m_vstorage->addItems(texts);
  m_vstorage->setCurrentIndex(index);
  m_chips->setVisible(!many);
  m_vstorage->setVisible(many);
  filterVstorage(index);
}

void VmsPage::showAverage() {
  const int rows = m_filtered->rowCount();
  double sum = 0;
  for (int row = 0; row < rows; ++row) sum += m_filtered->index(row, int(Column::Iops)).data(ValueRole).toDouble();
  m_average->setText(rows == 0 ? QString() : tr("average per VM: %1 IO/s").arg(formatter::number(sum / rows)));
}

void VmsPage::showSelected() {
  const QModelIndex current = m_table->currentIndex();
  if (!current.isValid()) {
    m_details->hide();
    return;
  }
  const auto textOf = [&](Column column) { return current.siblingAtColumn(int(column)).data(ValueRole).toString(); };
  m_details->display(textOf(Column::Vstorage), textOf(Column::Name));
  QMetaObject::invokeMethod(
      m_table, [this] { m_table->scrollTo(m_table->currentIndex()); }, Qt::QueuedConnection);
}

void VmsPage::select(const QString& vstorage, const QString& name) {
  if (m_context.vms.find(vstorage, name) == nullptr) return;
  m_search->clear();
  if (!m_filtered->vstorage().isEmpty() && m_filtered->vstorage() != vstorage) {
    m_filtered->setVstorage({});
    showChips();
  }
  for (int row = 0; row < m_filtered->rowCount(); ++row) {
    if (m_filtered->index(row, 0).data(IdRole).toString() == VmModel::id(vstorage, name)) m_table->selectRow(row);
  }
}

int VmsPage::shownCount() const { return m_filtered->rowCount(); }

QString VmsPage::csv() const {
  QList<int> columns;
  for (int column = 0; column < VmModel::columnTotal; ++column) columns << column;
  return toCsv(*m_filtered, columns);
}

void VmsPage::exportCsv() {
  auto* dialog = new QFileDialog(this, tr("Save virtual machines"), QString(), tr("CSV files (*.csv)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("csv"));
  dialog->selectFile(QStringLiteral("virtual-machines.csv"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(csv().toUtf8()) < 0 || !file.commit()) {
      Q_EMIT notified(protocol::Severity::Error, tr("The CSV file was not saved"), tr("%1: %2").arg(path, file.errorString()));
      return;
    }
    Q_EMIT notified(protocol::Severity::Info, tr("Saved %1").arg(path), {});
  });
  dialog->open();
}

}  // namespace quarry
