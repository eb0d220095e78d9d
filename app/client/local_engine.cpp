// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/local_engine.h"

#include "app/client/engine_client.h"
#include "app/settings/settings.h"

namespace quarry {

LocalEngine::LocalEngine(EngineClient& client, EngineProcess& process, Settings& settings, QObject* parent)
    : QObject(parent), m_client(client), m_process(process), m_settings(settings) {
  connect(&client, &EngineApi::connectionChanged, this, &LocalEngine::onConnection);
  connect(&process, &EngineProcess::ready, this, [this](const EngineReady& ready) { m_client.connectTo(ready.controlSocket, tr("this machine")); });
}

void LocalEngine::begin(const QString& controlSocket) {
  m_controlSocket = controlSocket;
  m_client.connectTo(controlSocket, tr("this machine"));
  m_deciding = true;
  onConnection();  // a socket that does not exist is known at once
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
  if (m_client.connection() == EngineApi::Connection::Connected || m_controlSocket.isEmpty()) return;
  begin(m_controlSocket);
}

}  // namespace quarry
