// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the store and addresses of a finished setup to the settings, so that the next start opens the dashboard. Cannot fail.
// GUI thread only; the settings must outlive it.
#pragma once

#include <QString>

#include "app/client/engine_process.h"
#include "app/operations/step.h"

namespace quarry {

class Settings;

class RememberSetupStep : public Step {
 public:
  RememberSetupStep(Settings& settings, EngineOptions options);

  QString title() const override;
  Reply<QString> run() override;

 private:
  Settings& m_settings;
  EngineOptions m_options;
};

}  // namespace quarry
