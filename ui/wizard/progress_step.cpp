// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/progress_step.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/theme/typography.h"
#include "ui/widgets/command_field.h"
#include "ui/widgets/icon_label.h"
#include "ui/widgets/layouts.h"

namespace quarry {

namespace {

IconLabel* markOf(StepState state) {
  switch (state) {
    case StepState::Done: return new IconLabel(Icon::Check, ColorRole::Good, 18);
    case StepState::Failed:
    case StepState::UndoFailed: return new IconLabel(Icon::Error, ColorRole::Bad, 18);
    case StepState::Running: return new IconLabel(Icon::Refresh, ColorRole::Accent, 18);
    case StepState::Undone: return new IconLabel(Icon::Warning, ColorRole::Warning, 18);
    case StepState::Waiting:
    case StepState::Skipped: return new IconLabel(Icon::Wait, ColorRole::Dim, 18);
  }
  return nullptr;
}

QWidget* makeLine(const ReportLine& report) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 4, 0, 4);
  row->setSpacing(12);
  row->addWidget(markOf(report.state), 0, Qt::AlignTop);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  const bool failed = report.state == StepState::Failed || report.state == StepState::UndoFailed;
  words->addWidget(makeLabel(report.title, TextStyle::Strong, report.state == StepState::Waiting ? Tone::Dim : Tone::Normal));
  QLabel* text =
      makeLabel(report.text.isEmpty() ? stepStateText(report.state) : report.text, TextStyle::Caption, failed ? Tone::Bad : Tone::Dim);
  text->setWordWrap(true);
  text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words->addWidget(text);
  row->addLayout(words, 1);
  return line;
}

}  // namespace

ProgressStep::ProgressStep(QWidget* parent)
    : WizardStep(tr("Setting up"), tr("Each step is done wholly or not at all."), parent),
      m_lines(new QVBoxLayout),
      m_outcome(makeLabel({}, TextStyle::Strong)),
      m_copy(new QPushButton(icon(Icon::Copy), tr("Copy &report"))),
      m_esxi(new CommandField(tr("Mount it on ESXi"))),
      m_linux(new CommandField(tr("Mount it on Linux"))),
      m_hint(makeLabel(portMapperHint(), TextStyle::Caption, Tone::Dim)) {
  m_lines->setSpacing(0);
  body()->addLayout(m_lines);
  m_outcome->setWordWrap(true);
  body()->addWidget(m_outcome);
  body()->addWidget(m_copy, 0, Qt::AlignLeft);
  m_hint->setWordWrap(true);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_esxi, m_linux, m_hint}) body()->addWidget(widget);
  connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(reportText()); });
  body()->addStretch();
}

void ProgressStep::start(std::unique_ptr<Operation> operation) {
  m_outcome->clear();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_copy, m_esxi, m_linux, m_hint}) widget->hide();
  m_runner = std::make_unique<OperationRunner>(std::move(operation));
  connect(m_runner.get(), &OperationRunner::stepChanged, this, &ProgressStep::showLines);
  connect(m_runner.get(), &OperationRunner::finished, this, &ProgressStep::onFinished);
  showLines();
  m_runner->start();
  Q_EMIT completeChanged();
}

void ProgressStep::cancel() {
  if (isRunning()) m_runner->cancel();
}

bool ProgressStep::isRunning() const { return m_runner != nullptr && !m_runner->hasEnded(); }

bool ProgressStep::succeeded() const { return m_runner != nullptr && m_runner->state() == OperationRunner::State::Succeeded; }

QString ProgressStep::outcome() const { return m_outcome->text(); }

void ProgressStep::showMountCommands(const MountTarget& target) {
  const MountCommand esxi = esxiMountCommand(target), onLinux = linuxMountCommand(target);
  m_esxi->setCommand(esxi.text, esxi.problem);
  m_linux->setCommand(onLinux.text, onLinux.problem);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_esxi, m_linux, m_hint}) widget->show();
}

QString ProgressStep::reportText() const { return m_runner == nullptr ? QString() : m_runner->report().toText(); }

void ProgressStep::showLines() {
  clearLayout(*m_lines);
  for (const ReportLine& line : m_runner->report().lines) m_lines->addWidget(makeLine(line));
}

void ProgressStep::onFinished(OperationRunner::State state) {
  showLines();
  const bool good = state == OperationRunner::State::Succeeded;
  m_outcome->setText(good ? tr("Quarry is ready: your hosts can mount from it.")
                     : state == OperationRunner::State::Cancelled
                         ? tr("It was cancelled; what had been done was taken back.")
                         : tr("It was not set up. Go back, change what is named above, and try again."));
  setTone(m_outcome, good ? Tone::Good : Tone::Bad);
  m_copy->setVisible(!good);
  Q_EMIT completeChanged();
  Q_EMIT finished(good);
}

}  // namespace quarry
