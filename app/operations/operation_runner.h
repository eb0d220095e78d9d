// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the steps of one operation in order on the GUI thread without ever waiting; after a failure or a cancel it takes back the steps
// that can be undone, last first. cancel() takes effect between two steps. Destroyed while running, it lets the step under way end and
// takes nothing back. GUI thread only.
#pragma once

#include <QObject>
#include <cstddef>
#include <memory>

#include "app/operations/operation.h"
#include "app/operations/report.h"

namespace quarry {

class OperationRunner : public QObject {
  Q_OBJECT
 public:
  enum class State { Ready, Running, Undoing, Succeeded, Failed, Cancelled };
  Q_ENUM(State)

  explicit OperationRunner(std::unique_ptr<Operation> operation, QObject* parent = nullptr);

  void start();   // once
  void cancel();  // before or while running

  State state() const { return m_state; }
  bool hasEnded() const { return m_state == State::Succeeded || m_state == State::Failed || m_state == State::Cancelled; }
  const Report& report() const { return m_report; }
  const Operation& operation() const { return *m_operation; }

 Q_SIGNALS:
  void stepChanged(int step);  // report().lines[step] has a new state or text
  void finished(quarry::OperationRunner::State state);

 private:
  void runNext();
  void await(const Reply<QString>& reply, void (OperationRunner::*use)(const Result<QString>& result));
  void onStepEnded(const Result<QString>& result);
  void beginUndo(State outcome);
  void undoNext();
  void onUndoEnded(const Result<QString>& result);
  void setLine(size_t step, StepState state, const QString& text = {});
  void finish();

  std::shared_ptr<Operation> m_operation;  // shared with the watcher of a step under way
  Report m_report;
  State m_state = State::Ready;
  State m_outcome = State::Succeeded;
  bool m_cancelled = false;
  size_t m_next = 0;   // step to run
  size_t m_undo = 0;   // steps below this one are still to be undone
};

}  // namespace quarry
