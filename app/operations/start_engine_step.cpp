// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/start_engine_step.h"

#include <QCoreApplication>
#include <utility>

#include "app/format/error_text.h"
#include "app/operations/wait_until.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(StartEngineStep)
};

}  // namespace

StartEngineStep::StartEngineStep(EngineApi& engine, EngineProcess& process, Mode mode, EngineOptions options)
    : m_engine(engine), m_process(process), m_mode(mode), m_options(std::move(options)) {}

QString StartEngineStep::title() const { return m_mode == Mode::Start ? Words::tr("Start the engine") : Words::tr("Attach to the engine"); }

Reply<QString> StartEngineStep::run() {
  if (m_mode == Mode::Attach) return connected(Words::tr("Connected."));
  const auto next = [this](const Result<EngineReady>& ready) -> Reply<QString> {
    if (!ready) return QtFuture::makeReadyFuture(Result<QString>(fail(ready.error())));
    m_started = true;
    return connected(Words::tr("Serving NFS on %1, port %2.").arg(ready->nfsAddress).arg(ready->nfsPort));
  };
  return m_process.start(m_options).then(&m_process, next).unwrap();
}

Reply<QString> StartEngineStep::connected(const QString& sentence) {
  return waitUntil(m_engine, &EngineApi::connectionChanged,
                   {.reached = [this] { return m_engine.connection() == EngineApi::Connection::Connected; },
                    .sentence = sentence,
                    .limit = connectMax,
                    .timeoutText = "the console could not connect to the engine"});
}

// The engine's own words say which of its options or what of the machine was in the way; no field of the console is named by them.
QString StartEngineStep::failureText(const Error& error) const {
  const bool isOwnWords = error.code == ErrorCode::InvalidArgument || error.code == ErrorCode::Internal;
  if (m_mode == Mode::Attach || !isOwnWords) return errorText(error);
  return Words::tr("The engine could not be started: %1.").arg(QString::fromStdString(error.message));
}

Reply<QString> StartEngineStep::undo() {
  m_started = false;
  m_process.stop();
  return waitUntil(m_process, &EngineProcess::stateChanged,
                   {.reached = [this] { return m_process.state() == EngineProcess::State::Stopped; },
                    .sentence = Words::tr("The engine was stopped; the store folder was kept."),
                    .limit = connectMax,
                    .timeoutText = "the engine did not stop"});
}

}  // namespace quarry
