// SPDX-License-Identifier: GPL-3.0-or-later
// Writes which engine a finished setup uses, and of one on this machine its store and addresses, to the settings, so that the next start
// opens the dashboard. Cannot fail.
// GUI thread only; the settings must outlive it.
#pragma once

#include <QString>

#include "app/client/engine_process.h"
#include "app/operations/step.h"

namespace quarry {

class Settings;

class RememberSetupStep : public Step {
 public:
  enum class Target { ThisMachine, Socket };

  RememberSetupStep(Settings& settings, Target target, EngineOptions options);

  QString title() const override;
  Reply<QString> run() override;

 private:
  Settings& m_settings;
  Target m_target;
  EngineOptions m_options;
};

}  // namespace quarry
