// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/running_job_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/client/engine_api.h"
#include "app/format/formatter.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "ui/delegates/state_delegate.h"
#include "ui/pages/job_words.h"
#include "ui/theme/typography.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/elided_label.h"

namespace quarry {

RunningJobCard::RunningJobCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("Running"), parent),
      m_context(context),
      m_title(new ElidedLabel(TextStyle::SectionTitle)),
      m_state(new Badge),
      m_progress(new Bar),
      m_numbers(new ElidedLabel(TextStyle::Body)),
      m_found(new ElidedLabel(TextStyle::Body, Tone::Dim)),
      m_file(new ElidedLabel(TextStyle::Caption, Tone::Dim)),
      m_cancel(new QPushButton(tr("&Cancel job"))),
      m_waiting(makeLabel({}, TextStyle::Caption, Tone::Dim)) {
  auto* top = new QHBoxLayout;
  top->setSpacing(8);
  top->addWidget(m_title, 1);
  top->addWidget(m_state);
  m_file->setElideMode(Qt::ElideMiddle);
  body()->setSpacing(7);
  body()->addLayout(top);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_progress, m_numbers, m_found, m_file}) body()->addWidget(widget);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(12);
  buttons->addWidget(m_cancel);
  buttons->addWidget(m_waiting);
  buttons->addStretch();
  body()->addSpacing(4);
  body()->addLayout(buttons);
  body()->addStretch();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_state, m_progress, m_cancel}) {
    QSizePolicy keepsRoom = widget->sizePolicy();
    keepsRoom.setRetainSizeWhenHidden(true);
    widget->setSizePolicy(keepsRoom);
  }
  connect(&context.jobs, &QAbstractItemModel::rowsInserted, this, &RunningJobCard::showJob);
  connect(&context.jobs, &QAbstractItemModel::rowsRemoved, this, &RunningJobCard::showJob);
  connect(&context.jobs, &QAbstractItemModel::dataChanged, this, &RunningJobCard::showJob);
  connect(&context.feed, &ModelFeed::loaded, this, &RunningJobCard::showJob);
  connect(&context.engine, &EngineApi::connectionChanged, this, &RunningJobCard::showJob);
  connect(&context.feed, &ModelFeed::statusChanged, this, &RunningJobCard::showJob);  // "3 min ago" grows old
  connect(m_cancel, &QPushButton::clicked, this, [this] {
    if (const protocol::JobInfo* job = m_context.jobs.running()) Q_EMIT cancelWanted(job->id);
  });
  showJob();
}

void RunningJobCard::showJob() {
  const protocol::JobInfo* job = m_context.jobs.running();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_state, m_progress, m_cancel}) widget->setVisible(job != nullptr);
  m_cancel->setEnabled(m_context.engine.connection() == EngineApi::Connection::Connected);
  if (job == nullptr) {
    m_title->setText(m_context.feed.isLoaded() ? tr("No job is running") : tr("Loading…"));
    m_numbers->setText(m_context.feed.isLoaded() ? lastJobSentence(m_context.jobs) : QString());
    m_found->setText({});
    m_waiting->clear();
    m_file->setText({});
    return;
  }
  m_title->setText(jobTitle(*job));
  m_state->set(jobStateText(job->state), jobStateRole(int(job->state)));
  m_progress->setShare(jobProgress(*job));
  m_numbers->setText(jobNumbers(*job));
  m_waiting->setText(waitingText(m_context.jobs.waitingCount()));
  m_found->setText(tr("Found so far: %1 zero, %2 duplicate, %3 new in %4")
                       .arg(formatter::bytes(job->zeroBytes), formatter::bytes(job->duplicateBytes), formatter::bytes(job->newBytes),
                            formatter::bytes(job->storedBytes)));
  m_file->setText(QString::fromStdString(job->currentFile));
}

}  // namespace quarry
