// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up an engine and a vstorage: questions, summary, then the work with a result per step. Nothing is changed before the summary was
// accepted; only trying to connect shows the other engine, and Cancel goes back to the former one. Fills the window it is put in.
// GUI thread only; the context outlives it.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <memory>

#include "app/client/console_context.h"
#include "app/operations/setup_operation.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace quarry {

class EngineStep;
class ProgressStep;
class StepList;
class StoreStep;
class SummaryStep;
class WizardStep;

class SetupWizard : public QWidget {
  Q_OBJECT

 public:
  enum Step { Engine, Store, Vstorage, Cache, Dedup, Summary, Progress };

  explicit SetupWizard(const ConsoleContext& context, SetupOperation::Probe probe = {}, QWidget* parent = nullptr);

  Step currentStep() const;
  QPushButton* nextButton() { return m_next; }
  QPushButton* backButton() { return m_back; }
  QPushButton* cancelButton() { return m_cancel; }
  StoreStep* storeStep() { return m_store; }
  ProgressStep* progressStep() { return m_progress; }

 Q_SIGNALS:
  void attachRequested(const QString& controlSocket);
  void closed();  // done, or given up

 protected:
  void keyPressEvent(QKeyEvent* event) override;  // Enter goes on, Esc cancels

 private:
  QWidget* makeCard();
  QWidget* makeButtons();
  void addSteps();
  void openStep(Step step);
  void next();
  void back();
  void cancel();
  void run();
  void updateButtons();
  void onFinished(bool succeeded);
  SetupRequest request() const;
  std::unique_ptr<Operation> makeOperation() const;

  ConsoleContext m_context;
  SetupOperation::Probe m_probe;
  StepList* m_list;
  QStackedWidget* m_stack;
  EngineStep* m_engine;
  StoreStep* m_store;
  SummaryStep* m_summary;
  ProgressStep* m_progress;
  QList<WizardStep*> m_steps;
  QLabel* m_note;
  QPushButton* m_cancel;
  QPushButton* m_back;
  QPushButton* m_next;
};

}  // namespace quarry
