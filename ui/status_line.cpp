// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/status_line.h"

#include <QHBoxLayout>
#include <QLabel>

#include "app/format/host_address.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "app/models/vm_model.h"
#include "app/models/vstorage_model.h"
#include "app/settings/settings.h"
#include "ui/pages/job_words.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"
#include "ui/widgets/elided_label.h"

namespace quarry {

StatusLine::StatusLine(const ConsoleContext& context, QWidget* parent)
    : QFrame(parent),
      m_context(context),
      m_address(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_counts(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_vstorages(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_state(new ElidedLabel(TextStyle::Caption, Tone::Bad)),
      m_job(makeLabel({}, TextStyle::Caption, Tone::Dim)) {
  setObjectName(QStringLiteral("statusLine"));
  setFixedHeight(metrics::statusHeight);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(metrics::pageMargin, 0, metrics::pageMargin, 0);
  row->setSpacing(24);
  for (QLabel* label : {m_address, m_counts, m_vstorages}) row->addWidget(label);
  row->addWidget(m_state, 1);
  row->addWidget(m_job);
  connect(&context.feed, &ModelFeed::statusChanged, this, &StatusLine::showStatus);
  connect(&context.feed, &ModelFeed::loaded, this, &StatusLine::showJob);
  connect(&context.settings, &Settings::changed, this, &StatusLine::showStatus);
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(&context.jobs, signal, this, &StatusLine::showJob);
    connect(&context.vms, signal, this, &StatusLine::showStatus);
    connect(&context.vstorages, signal, this, &StatusLine::showStatus);
  }
  connect(&context.jobs, &QAbstractItemModel::dataChanged, this, &StatusLine::showJob);
  showStatus();
  showJob();
}

QString StatusLine::text() const {
  return QStringList{m_address->text(), m_counts->text(), m_vstorages->text(), m_state->text(), m_job->text()}.join(u' ');
}

void StatusLine::showStatus() {
  const auto& status = m_context.feed.status();
  if (!status) return;
  const QString address = hostAddress(*status, m_context.settings);
  m_address->setText(status->nfsPort == 0 ? tr("NFS is off")
                          : address.isEmpty()   ? tr("NFS port %1").arg(status->nfsPort)
                                                : tr("NFS %1:%2").arg(address).arg(status->nfsPort));
  const int vms = m_context.vms.rowCount(), vstorages = m_context.vstorages.rowCount();
  m_counts->setText(vms == 1 ? tr("1 VM") : tr("%1 VMs").arg(vms));
  m_vstorages->setText(vstorages == 1 ? tr("1 vstorage") : tr("%1 vstorages").arg(vstorages));
  m_state->setText(status->state == protocol::StoreState::ReadOnly
                       ? tr("The store is read-only: %1").arg(QString::fromStdString(status->reason))
                       : QString());
}

void StatusLine::showJob() {
  const protocol::JobInfo* job = m_context.jobs.running();
  const QString waiting = waitingText(m_context.jobs.waitingCount());
  const QString running = job == nullptr || waiting.isEmpty() ? QString() : QStringLiteral(" · ") + waiting;
  m_job->setText(job != nullptr ? jobShort(*job) + running : m_context.feed.isLoaded() ? tr("No job is running") : QString());
}

}  // namespace quarry
