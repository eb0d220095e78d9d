// SPDX-License-Identifier: GPL-3.0-or-later
// Stops the engine that this console started, so that another one can take its place. Undo starts it again with the same store.
// GUI thread only; the process must outlive it.
#pragma once

#include <QString>
#include <chrono>

#include "app/client/engine_process.h"
#include "app/operations/step.h"

namespace quarry {

class StopEngineStep : public Step {
 public:
  static constexpr std::chrono::seconds stopMax{30};

  explicit StopEngineStep(EngineProcess& process);

  QString title() const override;
  Reply<QString> run() override;
  bool canUndo() const override { return m_stopped; }
  Reply<QString> undo() override;

 private:
  EngineProcess& m_process;
  EngineOptions m_options;  // of the engine that was stopped
  bool m_stopped = false;
};

}  // namespace quarry
