// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled engine as a child process: starts it, waits until it serves, restarts it with back-off after a crash, stops it. GUI
// thread only; nothing waits but the destructor, which stops the engine unless leaveRunning() was called. One engine at a time. After
// Failed, reason() says why in one line made of the engine's own last words, and start() may be called again.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QPromise>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>

#include "app/client/engine_api.h"
#include "app/client/store_check.h"
#include "engine/base/result.h"

namespace quarry {

struct EngineOptions {
  QString storePath;
  QString controlSocket;  // empty: EngineProcess::defaultControlSocket()
  QString listenAddress = QStringLiteral("0.0.0.0");
  int nfsPort = 2049;
};

struct EngineReady {
  QString nfsAddress;
  int nfsPort = 0;
  QString controlSocket;
};

class EngineProcess : public QObject {
  Q_OBJECT
 public:
  enum class State { Stopped, Starting, Running, Restarting, Stopping, Failed };
  Q_ENUM(State)

  struct Timing {
    std::chrono::milliseconds startMax{60'000};     // until the ready line, at the first start
    std::chrono::milliseconds restartMax{600'000};  // after a crash: a large store may have much to read
    std::chrono::milliseconds terminateMax{20'000}; // from SIGTERM to SIGKILL
    std::chrono::milliseconds quickCrash{30'000};   // a run shorter than this, or that never served, counts towards giving up
    std::chrono::milliseconds backOffMin{250};
    std::chrono::milliseconds backOffMax{5'000};
    std::chrono::milliseconds checkMax{120'000};    // for one store check
  };
  static constexpr int quickCrashesMax = 5;
  static constexpr int errorLinesMax = 20;

  // program: the engine's executable; empty: found beside the console, in the build tree, or in PATH.
  explicit EngineProcess(QString program = {}, QObject* parent = nullptr);
  ~EngineProcess() override;

  State state() const { return m_state; }
  QString reason() const { return m_reason; }                     // why it is Failed or Restarting; empty otherwise
  const EngineOptions& options() const { return m_options; }      // of the last start
  const std::optional<EngineReady>& readiness() const { return m_ready; }  // set while Running
  void setTiming(const Timing& timing) { m_timing = timing; }

  virtual Reply<EngineReady> start(const EngineOptions& options);  // Busy when one is already started
  virtual void stop();
  virtual Reply<StoreCheck> checkStore(const QString& path);

  void leaveRunning();  // the engine goes on when this object is gone

  static QString findProgram();  // "quarryd" when it is nowhere, so that the start fails with its name
  static QString defaultControlSocket();

 Q_SIGNALS:
  void stateChanged(quarry::EngineProcess::State state);
  void ready(const quarry::EngineReady& ready);  // at each start and restart

 protected:
  void setState(State state, const QString& reason = {});

  EngineOptions m_options;

 private:
  void launch();
  void connectProcess();
  void readOutput();
  void readErrors();
  void onExited(int exitCode, QProcess::ExitStatus status);
  void onProcessError(QProcess::ProcessError error);
  void onReadyLine(const EngineReady& ready);
  void onStartTimeout();
  void onCrash(const QString& why);
  void giveUp(ErrorCode code, const QString& why);
  void settleStart(Result<EngineReady> result);
  QString lastWords() const;

  QString m_program;
  Timing m_timing;
  State m_state = State::Stopped;
  QString m_reason;
  std::unique_ptr<QProcess> m_process;
  std::optional<EngineReady> m_ready;
  std::unique_ptr<QPromise<Result<EngineReady>>> m_starting;  // set until the first ready line or failure
  QStringList m_errorLines;
  QByteArray m_outputTail;
  QByteArray m_errorTail;
  QElapsedTimer m_run;
  QTimer m_startTimer;
  QTimer m_restartTimer;
  QTimer m_killTimer;
  int m_quickCrashes = 0;
  bool m_served = false;  // this run came as far as the ready line
};

// The line `ready nfs=ADDR:PORT control=SOCKET`; nothing when it is another line.
std::optional<EngineReady> parseReadyLine(const QString& line);

}  // namespace quarry
