// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the engine of this machine with a store and waits until the console is connected to it; or, to attach, only waits. Undo stops
// an engine that this run started. GUI thread only; references must outlive it.
#pragma once

#include <QString>
#include <chrono>

#include "app/client/engine_process.h"
#include "app/operations/step.h"

namespace quarry {

class StartEngineStep : public Step {
 public:
  enum class Mode { Start, Attach };
  static constexpr std::chrono::seconds connectMax{30};

  StartEngineStep(EngineApi& engine, EngineProcess& process, Mode mode, EngineOptions options);

  QString title() const override;
  Reply<QString> run() override;
  bool canUndo() const override { return m_started; }
  Reply<QString> undo() override;
  QString failureText(const Error& error) const override;

 private:
  Reply<QString> connected(const QString& sentence);

  EngineApi& m_engine;
  EngineProcess& m_process;
  Mode m_mode;
  EngineOptions m_options;
  bool m_started = false;
};

}  // namespace quarry
