// SPDX-License-Identifier: GPL-3.0-or-later
// Where the engine runs: on this machine, started by the console, or behind the control socket of one that runs already.
// Connecting to a running engine changes nothing in it. GUI thread only.
#pragma once

#include "app/client/engine_api.h"
#include "ui/wizard/wizard_step.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace quarry {

class OptionCard;
class Settings;

class EngineStep : public WizardStep {
  Q_OBJECT

 public:
  EngineStep(EngineApi& engine, const Settings& settings, QWidget* parent = nullptr);

  bool isComplete() const override;
  void fill(SetupRequest& request) const override;

 Q_SIGNALS:
  void attachRequested(const QString& controlSocket);

 private:
  QWidget* makeLocalFields(int nfsPort);
  QWidget* makeAttachFields();
  void onChoice();
  void showConnection();

  EngineApi& m_engine;
  OptionCard* m_local;
  OptionCard* m_attach;
  QSpinBox* m_port;
  QLineEdit* m_socket;
  QPushButton* m_connect;
  QLabel* m_connection;
  QWidget* m_localFields;
  QWidget* m_attachFields;
};

}  // namespace quarry
