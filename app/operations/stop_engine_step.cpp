// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/stop_engine_step.h"

#include <QCoreApplication>

#include "app/operations/wait_until.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(StopEngineStep)
};

}  // namespace

StopEngineStep::StopEngineStep(EngineProcess& process) : m_process(process) {}

QString StopEngineStep::title() const { return Words::tr("Stop the engine that runs now"); }

Reply<QString> StopEngineStep::run() {
  m_options = m_process.options();
  m_stopped = true;
  m_process.stop();
  return waitUntil(m_process, &EngineProcess::stateChanged,
                   {.reached = [this] { return m_process.state() == EngineProcess::State::Stopped; },
                    .sentence = Words::tr("It was stopped; its store was kept."),
                    .limit = stopMax,
                    .timeoutText = "the engine did not stop"});
}

Reply<QString> StopEngineStep::undo() {
  m_stopped = false;
  return m_process.start(m_options).then(&m_process, [](const Result<EngineReady>& ready) -> Result<QString> {
    if (!ready) return fail(ready.error());
    return Words::tr("It was started again.");
  });
}

}  // namespace quarry
