// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/operation_runner.h"

#include <QCoreApplication>
#include <utility>

#include "app/client/when_done.h"
#include "app/format/error_text.h"

namespace quarry {

OperationRunner::OperationRunner(std::unique_ptr<Operation> operation, QObject* parent) : QObject(parent), m_operation(std::move(operation)) {
  m_report.title = m_operation->title();
  for (const auto& step : m_operation->steps()) m_report.lines << ReportLine{.title = step->title(), .state = StepState::Waiting, .text = {}};
}

void OperationRunner::start() {
  if (m_state != State::Ready || m_cancelled) return;
  m_state = State::Running;
  runNext();
}

void OperationRunner::cancel() {
  if (hasEnded() || m_cancelled) return;
  m_cancelled = true;
  if (m_state == State::Ready) beginUndo(State::Cancelled);
}

void OperationRunner::runNext() {
  if (m_cancelled) return beginUndo(State::Cancelled);
  if (m_next == m_operation->steps().size()) {
    m_outcome = State::Succeeded;
    return finish();
  }
  setLine(m_next, StepState::Running);
  await(m_operation->steps()[m_next]->run(), &OperationRunner::onStepEnded);
}

void OperationRunner::onStepEnded(const Result<QString>& result) {
  if (!result) {
    setLine(m_next, StepState::Failed, m_operation->steps()[m_next]->failureText(result.error()));
    return beginUndo(State::Failed);
  }
  setLine(m_next, StepState::Done, *result);
  ++m_next;
  runNext();
}

void OperationRunner::beginUndo(State outcome) {
  m_state = State::Undoing;
  m_outcome = outcome;
  m_undo = m_next;
  for (size_t i = m_next; i < m_operation->steps().size(); ++i)
    if (m_report.lines[static_cast<qsizetype>(i)].state == StepState::Waiting) setLine(i, StepState::Skipped);
  undoNext();
}

void OperationRunner::undoNext() {
  while (m_undo > 0 && !m_operation->steps()[m_undo - 1]->canUndo()) --m_undo;
  if (m_undo == 0) return finish();
  --m_undo;
  await(m_operation->steps()[m_undo]->undo(), &OperationRunner::onUndoEnded);
}

// An undo that fails does not stop the others: each takes back something of its own.
void OperationRunner::onUndoEnded(const Result<QString>& result) {
  if (result)
    setLine(m_undo, StepState::Undone, *result);
  else
    setLine(m_undo, StepState::UndoFailed, errorText(result.error()));
  undoNext();
}

// The step works on when this runner is destroyed meanwhile, so its operation stays alive until it has ended.
void OperationRunner::await(const Reply<QString>& reply, void (OperationRunner::*use)(const Result<QString>& result)) {
  whenDone(reply, this, [this, use](const Result<QString>& result) { (this->*use)(result); });
  whenDone(reply, QCoreApplication::instance(), [keptAlive = m_operation](const Result<QString>&) {});
}

void OperationRunner::setLine(size_t step, StepState state, const QString& text) {
  ReportLine& line = m_report.lines[static_cast<qsizetype>(step)];
  line.state = state;
  line.text = text;
  Q_EMIT stepChanged(static_cast<int>(step));
}

void OperationRunner::finish() {
  m_state = m_outcome;
  Q_EMIT finished(m_state);
}

}  // namespace quarry
