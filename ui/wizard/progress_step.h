// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the setup and shows each of its steps with its result; a failure shows reason and remedy and lets the user go back. Owns the
// runner of the current try. GUI thread only.
#pragma once

#include <memory>

#include "app/format/mount_command.h"
#include "app/operations/operation_runner.h"
#include "ui/wizard/wizard_step.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace quarry {

class CommandField;

class ProgressStep : public WizardStep {
  Q_OBJECT

 public:
  explicit ProgressStep(QWidget* parent = nullptr);

  void start(std::unique_ptr<Operation> operation);
  bool isComplete() const override { return !isRunning(); }
  void cancel();  // between two steps; takes back what was done
  bool isRunning() const;
  bool succeeded() const;
  QString outcome() const;
  void showMountCommands(const MountTarget& target);
  QString reportText() const;

 Q_SIGNALS:
  void finished(bool succeeded);

 private:
  void showLines();
  void onFinished(OperationRunner::State state);

  std::unique_ptr<OperationRunner> m_runner;
  QVBoxLayout* m_lines;
  QLabel* m_outcome;
  QPushButton* m_copy;
  CommandField* m_esxi;
  CommandField* m_linux;
  QLabel* m_hint;
};

}  // namespace quarry
