// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/local_engine.h"

#include "app/client/engine_client.h"
#include "app/settings/settings.h"

namespace quarry {

LocalEngine::LocalEngine(EngineClient& client, EngineProcess& process, Settings& settings, QObject* parent)
    : QObject(parent), m_client(client), m_process(process), m_settings(settings) {
  connect(&client, &EngineApi::connectionChanged, this, &LocalEngine::onConnection);
  connect(&process, &EngineProcess::ready, this, &LocalEngine::onReady);
  connect(&process, &EngineProcess::stateChanged, this, [this](EngineProcess::State state) {
    if (state == EngineProcess::State::Starting) m_attached = false;
  });
}

// The client tries by itself while the engine starts: when it was quicker, the connection stays. A restart after a crash takes nobody away
// from the engine attached to meanwhile.
void LocalEngine::onReady(const EngineReady& ready) {
  if (m_attached) return;
  m_controlSocket = ready.controlSocket;
  if (m_client.connection() == EngineApi::Connection::Connected && m_client.socketPath() == ready.controlSocket) return;
  m_client.connectTo(ready.controlSocket, tr("this machine"));
}

void LocalEngine::begin(const QString& controlSocket) {
  m_controlSocket = controlSocket;
  m_attached = false;
  m_client.connectTo(controlSocket, tr("this machine"));
  m_deciding = true;
  onConnection();  // a socket that does not exist is known at once
}

void LocalEngine::attach(const QString& controlSocket) {
  m_controlSocket.clear();
  m_attached = true;
  m_deciding = false;
  m_client.connectTo(controlSocket, controlSocket == EngineProcess::defaultControlSocket() ? tr("this machine") : controlSocket);
}

void LocalEngine::onConnection() {
  const EngineApi::Connection connection = m_client.connection();
  if (!m_deciding || connection == EngineApi::Connection::Connecting) return;
  m_deciding = false;
  if (connection == EngineApi::Connection::Lost) startProcess();
}

void LocalEngine::startProcess() {
  const QString storePath = m_settings.text(Setting::StorePath);
  if (storePath.isEmpty()) {
    m_client.disconnectFromEngine();
    Q_EMIT setupNeeded();
    return;
  }
  m_process.start({.storePath = storePath,
                   .controlSocket = m_controlSocket,
                   .listenAddress = m_settings.text(Setting::ListenAddress),
                   .nfsPort = m_settings.number(Setting::NfsPort)});
}

void LocalEngine::retry() {
  if (m_client.connection() == EngineApi::Connection::Connected) return;
  if (m_controlSocket.isEmpty()) return m_client.retryNow();
  begin(m_controlSocket);
}

}  // namespace quarry
