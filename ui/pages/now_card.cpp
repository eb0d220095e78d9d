// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/now_card.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
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
#include "ui/widgets/layouts.h"

namespace quarry {

namespace {

constexpr int attentionDays = 7;

// The newest warnings and errors of the last days: older ones are in the list of events.
std::vector<const protocol::Event*> attention(const EventModel& events) {
  const QDateTime since = QDateTime::currentDateTimeUtc().addDays(-attentionDays);
  std::vector<const protocol::Event*> serious;
  for (const protocol::Event& event : events.rows()) {
    const bool recent = QDateTime::fromString(QString::fromStdString(event.at), Qt::ISODate) >= since;
    if (recent && event.severity != protocol::Severity::Info) serious.push_back(&event);
  }
  std::sort(serious.begin(), serious.end(), [](auto* one, auto* other) { return happenedBefore(*other, *one); });
  if (serious.size() > NowCard::eventsMax) serious.resize(NowCard::eventsMax);
  return serious;
}

QString subjectText(const protocol::Event& event) {
  return QString::fromStdString(event.subject) + QStringLiteral(" · ") +
         formatter::age(QString::fromStdString(event.at), QDateTime::currentDateTimeUtc());
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
  subject->setText(subjectText(event));
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
  auto* header = new QHBoxLayout;
  auto* all = new QToolButton;
  all->setText(tr("Show all"));
  all->setAccessibleName(tr("Show all events"));
  all->setProperty("link", true);
  header->addWidget(makeLabel(tr("Attention"), TextStyle::CardTitle, Tone::Dim), 1);
  header->addWidget(all);
  body()->addLayout(header);
  connect(all, &QToolButton::clicked, this, &NowCard::eventsWanted);
  m_events->setSpacing(0);
  body()->addLayout(m_events);
  body()->addStretch();
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved}) {
    connect(&context.jobs, signal, this, &NowCard::showJob);
    connect(&context.events, signal, this, &NowCard::showEvents);
  }
  connect(&context.jobs, &QAbstractItemModel::dataChanged, this, &NowCard::showJob);
  connect(&context.feed, &ModelFeed::loaded, this, &NowCard::showAll);
  connect(&context.feed, &ModelFeed::statusChanged, this, &NowCard::showAll);  // "3 min ago" grows old
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
  const QString waiting = waitingText(m_context.jobs.waitingCount());
  m_numbers->setText(waiting.isEmpty() ? jobNumbers(*job) : jobNumbers(*job) + QStringLiteral(" · ") + waiting);
}

// Rows are made anew only when a text differs, so that a tooltip survives the refresh.
void NowCard::showEvents() {
  const std::vector<const protocol::Event*> events = attention(m_context.events);
  QStringList texts{m_context.feed.isLoaded() ? QStringLiteral("loaded") : QStringLiteral("loading")};
  for (const protocol::Event* event : events) texts << subjectText(*event) + u'\n' + QString::fromStdString(event->text);
  if (m_shown == texts) return;
  m_shown = texts;
  clearLayout(*m_events);
  for (const protocol::Event* event : events) m_events->addWidget(makeEventRow(*event));
  if (events.empty() && m_context.feed.isLoaded())
    m_events->addWidget(makeLabel(tr("Nothing needs your attention."), TextStyle::Body, Tone::Dim));
}

}  // namespace quarry
