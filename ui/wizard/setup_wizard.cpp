// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/setup_wizard.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <memory>
#include <utility>

#include "app/client/when_done.h"
#include "app/format/host_address.h"
#include "app/models/vstorage_model.h"
#include "app/settings/settings.h"
#include "ui/theme/typography.h"
#include "ui/widgets/card.h"
#include "ui/widgets/scroll.h"
#include "ui/wizard/cache_step.h"
#include "ui/wizard/dedup_step.h"
#include "ui/wizard/engine_step.h"
#include "ui/wizard/progress_step.h"
#include "ui/wizard/step_list.h"
#include "ui/wizard/store_step.h"
#include "ui/wizard/summary_step.h"
#include "ui/wizard/vstorage_step.h"

namespace quarry {

namespace {

constexpr int cardWidth = 960, cardHeight = 640, listWidth = 220;

QStringList stepTitles() {
  return {SetupWizard::tr("Engine"), SetupWizard::tr("Store"),   SetupWizard::tr("vStorage"), SetupWizard::tr("RAM cache"),
          SetupWizard::tr("Dedup"),  SetupWizard::tr("Summary"), SetupWizard::tr("Progress")};
}

}  // namespace

SetupWizard::SetupWizard(const ConsoleContext& context, SetupOperation::Probe probe, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_probe(std::move(probe)),
      m_list(new StepList(stepTitles())),
      m_stack(new QStackedWidget),
      m_engine(new EngineStep(context)),
      m_store(new StoreStep(context.process, context.settings.text(Setting::StorePath))),
      m_summary(new SummaryStep),
      m_progress(new ProgressStep),
      m_note(makeLabel({}, TextStyle::Body, Tone::Dim)),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_back(new QPushButton(tr("&Back"))),
      m_next(new QPushButton(tr("Ne&xt"))) {
  setObjectName(QStringLiteral("pageBackground"));
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Set up Quarry"));
  auto* centre = new QGridLayout(this);
  centre->setContentsMargins(8, 8, 8, 8);
  centre->addWidget(makeCard());  // centred, because it may only grow to its measure
  addSteps();
  connect(m_engine, &EngineStep::attachRequested, this, &SetupWizard::attachRequested);
  connect(m_progress, &ProgressStep::finished, this, &SetupWizard::onFinished);
  connect(m_cancel, &QPushButton::clicked, this, &SetupWizard::cancel);
  connect(m_back, &QPushButton::clicked, this, &SetupWizard::back);
  connect(m_next, &QPushButton::clicked, this, &SetupWizard::next);
  openStep(Engine);
}

QWidget* SetupWizard::makeCard() {
  auto* card = new QFrame;
  card->setProperty("card", true);
  card->setMaximumSize(cardWidth, cardHeight);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  auto* upper = new QHBoxLayout;
  upper->setSpacing(0);
  auto* left = new QVBoxLayout;
  left->setContentsMargins(24, 24, 16, 24);
  left->addWidget(makeLabel(tr("Set up Quarry"), TextStyle::SectionTitle));
  left->addSpacing(12);
  left->addWidget(m_list);
  left->addStretch();
  auto* leftSide = new QWidget;
  leftSide->setFixedWidth(listWidth);
  leftSide->setLayout(left);
  auto* line = new QFrame;
  line->setProperty("separator", QStringLiteral("vertical"));
  line->setFixedWidth(1);
  upper->addWidget(leftSide);
  upper->addWidget(line);
  upper->addWidget(m_stack, 1);
  column->addLayout(upper, 1);
  column->addWidget(makeSeparator());
  column->addWidget(makeButtons());
  return card;
}

QWidget* SetupWizard::makeButtons() {
  auto* buttons = new QWidget;
  auto* row = new QHBoxLayout(buttons);
  row->setContentsMargins(20, 14, 20, 14);
  row->setSpacing(10);
  row->addWidget(m_note, 1);
  m_next->setProperty("primary", true);
  for (QPushButton* button : {m_cancel, m_back, m_next}) row->addWidget(button);
  return buttons;
}

void SetupWizard::addSteps() {
  m_steps = {m_engine, m_store, new VstorageStep(m_context.vstorages), new CacheStep(m_context.cache), new DedupStep, m_summary, m_progress};
  for (WizardStep* step : m_steps) {
    m_stack->addWidget(makeScroll(step));
    connect(step, &WizardStep::completeChanged, this, &SetupWizard::updateButtons);
  }
}

SetupWizard::Step SetupWizard::currentStep() const { return Step(m_stack->currentIndex()); }

SetupRequest SetupWizard::request() const {
  SetupRequest request;
  request.engine.listenAddress = m_context.settings.text(Setting::ListenAddress);
  for (const WizardStep* step : m_steps) step->fill(request);
  return request;
}

void SetupWizard::openStep(Step step) {
  m_stack->setCurrentIndex(step);
  m_list->setCurrent(step);
  const SetupRequest filled = request();
  if (step == Summary) {
    m_summary->setPreview(makeOperation()->preview());
  }
  m_steps[step]->enter(filled);
  m_steps[step]->setFocus();
  updateButtons();
}

// An engine that runs already has its store, and vstorages that are there have their write modes and policies.
void SetupWizard::next() {
  switch (currentStep()) {
    case Engine: return openStep(request().attach ? Vstorage : Store);
    case Summary: return run();
    case Progress:
      if (!m_progress->succeeded()) return m_progress->start(makeOperation());
      Q_EMIT closed();
      return;
    case Vstorage: return openStep(request().vstorage ? Cache : Summary);
    case Store:
    case Cache:
    case Dedup: return openStep(Step(currentStep() + 1));
  }
}

void SetupWizard::back() {
  if (currentStep() == Vstorage && request().attach) return openStep(Engine);
  if (currentStep() == Summary && !request().vstorage) return openStep(Vstorage);
  openStep(Step(currentStep() - 1));
}

void SetupWizard::cancel() {
  if (m_progress->isRunning()) {
    m_cancel->setEnabled(false);
    return m_progress->cancel();
  }
  if (m_engine->hasLeftFormer() && !m_engine->formerSocket().isEmpty()) Q_EMIT attachRequested(m_engine->formerSocket());
  Q_EMIT closed();
}

void SetupWizard::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  auto* focused = qobject_cast<QPushButton*>(focusWidget());
  if (isEnter)
    (focused != nullptr ? focused : m_next)->click();
  else if (event->key() == Qt::Key_Escape && m_cancel->isVisible())
    m_cancel->click();
  else
    QWidget::keyPressEvent(event);
}

void SetupWizard::run() {
  openStep(Progress);
  m_progress->start(makeOperation());
}

std::unique_ptr<Operation> SetupWizard::makeOperation() const {
  return std::make_unique<SetupOperation>(SetupOperation::Parts{m_context.engine, m_context.process, m_context.settings, m_probe},
                                          request());
}

void SetupWizard::onFinished(bool succeeded) {
  if (!succeeded) return;
  const SetupRequest done = request();
  m_list->setCurrent(Progress + 1);
  if (!done.vstorage) return;
  whenDone(m_context.engine.status(), this, [this, done](const Result<protocol::EngineStatus>& status) {
    if (!status) return;
    m_progress->showMountCommands({hostAddress(*status, m_context.settings), status->nfsPort, QString::fromStdString(done.vstorage->name)});
  });
}

void SetupWizard::updateButtons() {
  const Step step = currentStep();
  const bool running = m_progress->isRunning(), succeeded = m_progress->succeeded();
  m_next->setText(step == Summary        ? tr("&Set up")
                  : step != Progress     ? tr("Ne&xt")
                  : succeeded || running ? tr("&Open the dashboard")
                                         : tr("Try a&gain"));
  m_next->setEnabled(m_steps[step]->isComplete());
  m_back->setEnabled(step != Engine && !running && !(step == Progress && succeeded));
  m_cancel->setEnabled(true);
  m_cancel->setVisible(!(step == Progress && succeeded));
  m_note->setText(step == Progress ? QString() : tr("Nothing is changed before the summary."));
}

}  // namespace quarry
