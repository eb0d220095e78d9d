// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/dedup_page.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/client/when_done.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "app/models/roles.h"
#include "app/models/vstorage_model.h"
#include "ui/delegates/cell_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/dialogs/policy_dialog.h"
#include "ui/pages/job_words.h"
#include "ui/pages/policy_card.h"
#include "ui/pages/running_job_card.h"
#include "ui/theme/metrics.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/scroll.h"

namespace quarry {

EndedJobsModel::EndedJobsModel(QAbstractItemModel& jobs, QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(SortRole);
  setSourceModel(&jobs);
}

bool EndedJobsModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const auto state = protocol::JobState(sourceModel()->index(row, int(JobModel::Column::State), parent).data(StateRole).toInt());
  return state == protocol::JobState::Done || state == protocol::JobState::Failed || state == protocol::JobState::Cancelled;
}

DedupPage::DedupPage(const ConsoleContext& context, QWidget* parent)
    : Page(PageId::Dedup, tr("Dedup"), context, parent),
      m_target(new QComboBox),
      m_optimize(new QPushButton(icon(Icon::Run, ColorRole::OnAccent), tr("Optimize &now"))),
      m_ended(new EndedJobsModel(context.jobs, this)),
      m_history(new DataTable(tr("History of jobs"))),
      m_report(new QPlainTextEdit) {
  makeHeader();
  makeContent();
  setEmptyState(new EmptyState(
      Icon::Dedup, tr("Nothing to deduplicate yet"),
      tr("Create a vstorage and let hosts write VM disks into it. Dedup then finds what they have in common and frees the space."),
      tr("Ne&w vstorage…")));
  connect(emptyState(), &EmptyState::actionTriggered, this, &Page::vstorageWanted);
  connect(&context.feed, &ModelFeed::loaded, this, &DedupPage::onRowsChanged);
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(&context.vstorages, signal, this, &DedupPage::onRowsChanged);
    connect(m_ended, signal, this, &DedupPage::showReport);
  }
  connect(&context.jobs, &QAbstractItemModel::rowsInserted, this, &DedupPage::onRowsChanged);
  connect(&context.jobs, &QAbstractItemModel::dataChanged, this, &DedupPage::onRowsChanged);
  connect(&context.engine, &EngineApi::connectionChanged, this, &DedupPage::onRowsChanged);
  connect(m_history->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DedupPage::showReport);
  onRowsChanged();
}

void DedupPage::makeHeader() {
  m_target->setAccessibleName(tr("Vstorage to optimize"));
  m_target->setMinimumWidth(160);
  m_target->setMaximumWidth(260);
  m_optimize->setProperty("primary", true);
  addToHeader(m_target);
  addToHeader(m_optimize);
  connect(m_optimize, &QPushButton::clicked, this, &DedupPage::optimizeNow);
}

void DedupPage::makeContent() {
  auto* running = new RunningJobCard(m_context);
  auto* policy = new PolicyCard(m_context);
  running->setFixedHeight(216);
  auto* left = new QVBoxLayout;
  left->setSpacing(metrics::cardGap);
  left->addWidget(running);
  policy->setMinimumHeight(140);
  left->addWidget(policy, 1);
  auto* right = new QVBoxLayout;
  right->setSpacing(metrics::cardGap);
  right->addWidget(makeHistory(), 1);
  right->addWidget(makeReport());
  auto* inside = new QWidget;
  auto* row = new QHBoxLayout(inside);
  row->setContentsMargins(metrics::pageMargin, 20, metrics::pageMargin, 20);
  row->setSpacing(metrics::cardGap);
  row->addLayout(left, 7);
  row->addLayout(right, 13);
  auto* whole = new QVBoxLayout(content());
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(makeScroll(inside));
  connect(running, &RunningJobCard::cancelWanted, this, &DedupPage::cancelJob);
  connect(policy, &PolicyCard::changeWanted, this, &DedupPage::changePolicy);
}

Card* DedupPage::makeHistory() {
  using Column = JobModel::Column;
  auto* card = new Card(tr("History"));
  m_history->showModel(m_ended, {{int(Column::Type), 102, 0, 480},
                                 {int(Column::Target), 0, 90},
                                 {int(Column::State), 92},
                                 {int(Column::Started), 166, 0, 700},
                                 {int(Column::Taken), 84, 0, 420},
                                 {int(Column::Read), 80, 0, 520},
                                 {int(Column::Freed), 80}});
  m_history->setItemDelegateForColumn(int(Column::State), new StateDelegate(m_history, &jobStateRole));
  m_history->setItemDelegateForColumn(int(Column::Started), new DimDelegate(m_history));
  m_history->setSortingEnabled(true);
  m_history->sortByColumn(int(Column::Started), Qt::DescendingOrder);
  m_history->setText(tr("No job has run yet. “Optimize now” starts one; it gives way to the VMs and can be cancelled at any time."));
  m_history->setMinimumHeight(m_history->heightForRows(4));
  card->body()->addWidget(m_history);
  return card;
}

Card* DedupPage::makeReport() {
  auto* card = new Card(tr("Report"));
  m_report->setReadOnly(true);
  m_report->setFrameShape(QFrame::NoFrame);
  m_report->setAccessibleName(tr("Report of the selected job"));
  m_report->setPlaceholderText(tr("Select a job above to read what it did."));
  m_report->setTabChangesFocus(true);
  auto* copy = new QToolButton;
  copy->setIcon(icon(Icon::Copy));
  copy->setToolTip(tr("Copy the report"));
  copy->setAccessibleName(tr("Copy the report"));
  card->addToHeader(copy);
  card->body()->addWidget(m_report);
  card->setFixedHeight(264);
  connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(reportText()); });
  return card;
}

void DedupPage::onRowsChanged() {
  showEmpty(m_context.feed.isLoaded() && m_context.vstorages.rowCount() == 0);
  const bool connected = m_context.engine.connection() == EngineApi::Connection::Connected;
  m_optimize->setEnabled(connected && m_context.vstorages.rowCount() > 0 && m_context.jobs.running() == nullptr);
  m_optimize->setToolTip(m_context.jobs.running() != nullptr ? tr("A job is running already") : tr("Optimize what the policy allows"));
  QStringList names;
  for (const protocol::VstorageInfo& vstorage : m_context.vstorages.rows()) names << QString::fromStdString(vstorage.name);
  names.prepend(tr("All vstorages"));
  if (m_targets != names) {
    m_targets = names;
    const QString chosen = m_target->currentText();
    m_target->clear();
    m_target->addItems(names);
    m_target->setCurrentIndex(std::max(0, m_target->findText(chosen)));
  }
  if (!m_history->currentIndex().isValid() && m_ended->rowCount() > 0) m_history->selectRow(0);
  showReport();
}

void DedupPage::showReport() {
  const QModelIndex current = m_history->currentIndex();
  const protocol::JobInfo* job = current.isValid() ? m_context.jobs.find(current.siblingAtColumn(0).data(IdRole).toLongLong()) : nullptr;
  const QString text = job == nullptr ? QString() : jobReport(*job);
  if (m_report->toPlainText() != text) m_report->setPlainText(text);
}

QString DedupPage::reportText() const { return m_report->toPlainText(); }

void DedupPage::optimizeNow() {
  protocol::JobStart request;
  if (m_target->currentIndex() > 0) request.vstorage = m_target->currentText().toStdString();
  m_optimize->setEnabled(false);
  whenDone(m_context.engine.startJob(request), this, [this](const Result<protocol::JobInfo>& job) {
    if (!job) reportFailure(tr("The job was not started"), job.error());
    onRowsChanged();  // the job itself comes with the engine's own announcement, which may be newer than this reply
  });
}

void DedupPage::cancelJob(qint64 id) {
  whenDone(m_context.engine.cancelJob(id), this, [this](const Result<protocol::JobInfo>& job) {
    if (!job) reportFailure(tr("The job was not cancelled"), job.error());
  });
}

void DedupPage::changePolicy(const QString& vstorage) {
  const protocol::VstorageInfo* info = m_context.vstorages.find(vstorage);
  if (info == nullptr || m_context.engine.connection() != EngineApi::Connection::Connected) return;
  auto* dialog = new PolicyDialog(*info, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RequestDialog::submitted, this, [this, dialog, vstorage] {
    const auto reply = m_context.engine.setPolicy(dialog->request());
    dialog->await(reply);
    whenDone(reply, this, [this, vstorage, dialog = QPointer(dialog)](const Result<protocol::Policy>& policy) {
      if (!policy) return reportUnseen(dialog, tr("The policy of %1 was not saved").arg(vstorage), policy.error());
      m_context.feed.refresh();
    });
  });
  dialog->open();
}

}  // namespace quarry
