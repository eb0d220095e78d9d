// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled engine as a child process: starts it, waits until it serves, restarts it with back-off after a crash, stops it.
// GUI thread only; nothing here waits. One engine at a time; the destructor stops it. After Failed, reason() says why in one line
// made of the engine's own last words, and start() may be called again. checkStore() changes nothing in the folder.
#pragma once

#include <QElapsedTimer>
#include <QList>
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

struct StoreCheckItem {
  QString name;  // "exists", "writable", "holes", "direct", "free", "store", "speed"
  bool ok = false;
  QString text;  // a sentence for the administrator
};

struct StoreCheck {
  QString path;
  bool ok = false;
  QList<StoreCheckItem> checks;
  quint64 freeBytes = 0;
  quint64 diskBytes = 0;
  quint64 writeBytesPerSecond = 0;
  bool existingStore = false;
};

class EngineProcess : public QObject {
  Q_OBJECT
 public:
  enum class State { Stopped, Starting, Running, Restarting, Stopping, Failed };
  Q_ENUM(State)

  struct Timing {
    std::chrono::milliseconds startMax{60'000};     // until the ready line
    std::chrono::milliseconds terminateMax{20'000}; // from SIGTERM to SIGKILL
    std::chrono::milliseconds quickCrash{30'000};   // a run shorter than this counts towards giving up
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
  const std::optional<EngineReady>& readiness() const { return m_ready; }  // set while Running
  void setTiming(const Timing& timing) { m_timing = timing; }

  virtual Reply<EngineReady> start(const EngineOptions& options);  // Busy when one is already started
  virtual void stop();
  virtual Reply<StoreCheck> checkStore(const QString& path);

  static QString findProgram();
  static QString defaultControlSocket();

 Q_SIGNALS:
  void stateChanged(quarry::EngineProcess::State state);
  void ready(const quarry::EngineReady& ready);  // at each start and restart

 protected:
  void setState(State state, const QString& reason = {});

 private:
  void launch();
  void readOutput();
  void readErrors();
  void onExited(int exitCode, QProcess::ExitStatus status);
  void onProcessError(QProcess::ProcessError error);
  void onReadyLine(const EngineReady& ready);
  void onStartTimeout();
  void restartLater(const QString& why);
  void giveUp(ErrorCode code, const QString& why);
  void settleStart(Result<EngineReady> result);
  QString lastWords() const;

  QString m_program;
  Timing m_timing;
  EngineOptions m_options;
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
};

// The line `ready nfs=ADDR:PORT control=SOCKET`; nothing when it is another line.
std::optional<EngineReady> parseReadyLine(const QString& line);
// The document that `quarryd --check` prints; Protocol when it is none.
Result<StoreCheck> parseStoreCheck(const QByteArray& json);

}  // namespace quarry
