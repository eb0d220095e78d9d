// SPDX-License-Identifier: GPL-3.0-or-later
// Where the engine runs: on this machine, started by the console, or behind the control socket of one that runs already.
// Connecting to a running engine changes nothing in it; the step is complete only for the socket that was asked for last.
// GUI thread only; what it is given outlives it.
#pragma once

#include "app/client/console_context.h"
#include "app/client/engine_api.h"
#include "ui/wizard/wizard_step.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace quarry {

class OptionCard;

class EngineStep : public WizardStep {
  Q_OBJECT

 public:
  explicit EngineStep(const ConsoleContext& context, QWidget* parent = nullptr);

  bool isComplete() const override;
  void fill(SetupRequest& request) const override;

  QString formerSocket() const { return m_former; }  // connected when the wizard began; empty: none
  bool hasLeftFormer() const { return m_asked != m_former; }

 Q_SIGNALS:
  void attachRequested(const QString& controlSocket);

 private:
  QWidget* makeLocalFields(int nfsPort);
  QWidget* makeAttachFields();
  QLabel* makeLocalNote();
  bool runsOwnEngine() const;
  bool isAsked() const;
  void askFor();
  void onChoice();
  void showConnection();

  ConsoleContext m_context;
  QString m_former;
  QString m_asked;  // the socket that is connected, or tried
  OptionCard* m_local;
  OptionCard* m_attach;
  QSpinBox* m_port;
  QLineEdit* m_socket;
  QPushButton* m_connect;
  QLabel* m_connection;
  QLabel* m_localNote;
  QWidget* m_localFields;
  QWidget* m_attachFields;
};

}  // namespace quarry
