// SPDX-License-Identifier: GPL-3.0-or-later
// Decides how the console comes to the engine of this machine: attaches to one that answers on the default control socket, else starts the
// bundled one with the store of the settings, else says that the setup is due. Or it stays with the engine behind another socket, which it
// never starts. GUI thread only; everything given to it must outlive it.
#pragma once

#include <QObject>
#include <QString>

#include "app/client/engine_process.h"

namespace quarry {

class EngineClient;
class Settings;

class LocalEngine : public QObject {
  Q_OBJECT
 public:
  LocalEngine(EngineClient& client, EngineProcess& process, Settings& settings, QObject* parent = nullptr);

  void begin(const QString& controlSocket = EngineProcess::defaultControlSocket());
  void attach(const QString& controlSocket);  // that engine from now on
  void retry();  // connect again now; start the engine of this machine if it is not running

 Q_SIGNALS:
  void setupNeeded();

 private:
  void onConnection();
  void onReady(const EngineReady& ready);
  void startProcess();

  EngineClient& m_client;
  EngineProcess& m_process;
  Settings& m_settings;
  QString m_controlSocket;   // of this machine's engine; empty while attached to another
  bool m_attached = false;  // to another engine, since after the last start of this machine's
  bool m_deciding = false;  // the first try to attach is under way
};

}  // namespace quarry
