// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/now_card.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "app/format/formatter.h"
#include "app/models/event_model.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "ui/pages/job_words.h"
#include "ui/theme/typography.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/elided_label.h"

namespace quarry {

namespace {

// The newest warnings and errors; with none of them, the newest of the rest.
std::vector<const protocol::Event*> attention(const EventModel& events) {
  std::vector<const protocol::Event*> serious, all;
  for (const protocol::Event& event : events.rows()) {
    all.push_back(&event);
    if (event.severity != protocol::Severity::Info) serious.push_back(&event);
  }
  std::vector<const protocol::Event*>& chosen = serious.empty() ? all : serious;
  std::sort(chosen.begin(), chosen.end(), [](auto* one, auto* other) { return one->id > other->id; });
  if (chosen.size() > NowCard::eventsMax) chosen.resize(NowCard::eventsMax);
  return chosen;
}

QWidget* makeEventRow(const protocol::Event& event) {
  auto* entry = new QWidget;
  auto* column = new QVBoxLayout(entry);
  column->setContentsMargins(0, 4, 0, 4);
  column->setSpacing(2);
  auto* top = new QHBoxLayout;
  top->setSpacing(8);
  const ColorRole role = event.severity == protocol::Severity::Error     ? ColorRole::Bad
                         : event.severity == protocol::Severity::Warning ? ColorRole::Warning
                                                                         : ColorRole::Dim;
  top->addWidget(new Badge(severityText(event.severity), role));
  auto* subject = new ElidedLabel(TextStyle::Caption, Tone::Dim);
  subject->setText(QString::fromStdString(event.subject) + QStringLiteral(" · ") +
                   formatter::age(QString::fromStdString(event.at), QDateTime::currentDateTimeUtc()));
  top->addWidget(subject, 1);
  column->addLayout(top);
  constexpr qsizetype textMax = 140;
  const QString whole = QString::fromStdString(event.text);
  QLabel* text = makeLabel(whole.size() > textMax ? whole.left(textMax) + u'…' : whole, TextStyle::Body);
  text->setWordWrap(true);
  text->setToolTip(whole);
  column->addWidget(text);
  return entry;
}

void clear(QLayout& layout) {
  while (QLayoutItem* item = layout.takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace

NowCard::NowCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("Now"), parent),
      m_context(context),
      m_job(new ElidedLabel(TextStyle::Strong)),
      m_progress(new Bar),
      m_numbers(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_events(new QVBoxLayout) {
  m_numbers->setWordWrap(true);
  body()->addWidget(m_job);
  body()->addWidget(m_progress);
  body()->addWidget(m_numbers);
  body()->addSpacing(4);
  body()->addWidget(makeLabel(tr("Attention"), TextStyle::CardTitle, Tone::Dim));
  m_events->setSpacing(0);
  body()->addLayout(m_events);
  body()->addStretch();
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(&context.jobs, signal, this, &NowCard::showJob);
    connect(&context.events, signal, this, &NowCard::showEvents);
  }
  connect(&context.jobs, &QAbstractItemModel::dataChanged, this, &NowCard::showJob);
  connect(&context.feed, &ModelFeed::loaded, this, &NowCard::showAll);
  showAll();
}

void NowCard::showAll() {
  showJob();
  showEvents();
}

void NowCard::showJob() {
  const protocol::JobInfo* job = m_context.jobs.running();
  m_progress->setVisible(job != nullptr);
  if (job == nullptr) {
    m_job->setText(m_context.feed.isLoaded() ? tr("No job is running") : tr("Loading…"));
    m_numbers->setText(m_context.feed.isLoaded() ? lastJobSentence(m_context.jobs) : QString());
    return;
  }
  m_job->setText(jobTitle(*job));
  m_progress->setShare(jobProgress(*job));
  m_numbers->setText(jobNumbers(*job));
}

void NowCard::showEvents() {
  clear(*m_events);
  const std::vector<const protocol::Event*> shown = attention(m_context.events);
  for (const protocol::Event* event : shown) m_events->addWidget(makeEventRow(*event));
  if (shown.empty() && m_context.feed.isLoaded())
    m_events->addWidget(makeLabel(tr("Nothing needs your attention."), TextStyle::Body, Tone::Dim));
}

}  // namespace quarry
