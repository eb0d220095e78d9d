// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/engine_process.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <unistd.h>
#include <utility>

#include "engine/protocol/socket_path.h"

namespace quarry {
namespace {

constexpr qsizetype lineBytesMax = 4096;  // longer lines of the engine are cut

// Moves the whole lines out of buffer; what is left is the beginning of the next.
QStringList takeLines(QByteArray& buffer) {
  QStringList lines;
  for (qsizetype end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n')) {
    lines << QString::fromUtf8(buffer.left(std::min(end, lineBytesMax))).trimmed();
    buffer.remove(0, end + 1);
  }
  buffer.truncate(lineBytesMax);
  return lines;
}

QStringList argumentsOf(const EngineOptions& options) {
  return {QStringLiteral("--store"),   options.storePath,     QStringLiteral("--control"),  options.controlSocket,
          QStringLiteral("--listen"), options.listenAddress, QStringLiteral("--nfs-port"), QString::number(options.nfsPort)};
}

}  // namespace

std::optional<EngineReady> parseReadyLine(const QString& line) {
  static const QRegularExpression pattern(QStringLiteral("^ready nfs=(.+):(\\d{1,5}) control=(.+)$"));
  const QRegularExpressionMatch match = pattern.match(line);
  if (!match.hasMatch()) return std::nullopt;
  QString address = match.captured(1);
  if (address.startsWith(QLatin1Char('[')) && address.endsWith(QLatin1Char(']'))) address = address.mid(1, address.size() - 2);
  const int port = match.captured(2).toInt();
  if (port < 1 || port > 65535) return std::nullopt;
  return EngineReady{address, port, match.captured(3)};
}

EngineProcess::EngineProcess(QString program, QObject* parent) : QObject(parent), m_program(std::move(program)) {
  for (QTimer* timer : {&m_startTimer, &m_restartTimer, &m_killTimer}) timer->setSingleShot(true);
  connect(&m_startTimer, &QTimer::timeout, this, &EngineProcess::onStartTimeout);
  connect(&m_restartTimer, &QTimer::timeout, this, &EngineProcess::launch);
  connect(&m_killTimer, &QTimer::timeout, this, [this] {
    if (m_process) m_process->kill();
  });
}

EngineProcess::~EngineProcess() {
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->terminate();
  if (!m_process->waitForFinished(static_cast<int>(m_timing.terminateMax.count()))) m_process->kill();
  m_process->waitForFinished();
}

QString EngineProcess::findProgram() {
  const QDir beside(QCoreApplication::applicationDirPath());
  for (const char* place : {"quarryd", "../engine/quarryd", "../../engine/quarryd"}) {
    const QFileInfo candidate(beside.filePath(QString::fromLatin1(place)));
    if (candidate.isFile() && candidate.isExecutable()) return candidate.canonicalFilePath();
  }
  const QString inPath = QStandardPaths::findExecutable(QStringLiteral("quarryd"));
  return inPath.isEmpty() ? QStringLiteral("quarryd") : inPath;
}

QString EngineProcess::defaultControlSocket() { return QString::fromStdString(protocol::defaultControlSocket()); }

Reply<EngineReady> EngineProcess::start(const EngineOptions& options) {
  auto promise = std::make_unique<QPromise<Result<EngineReady>>>();
  promise->start();
  Reply<EngineReady> reply = promise->future();
  if (m_process || m_restartTimer.isActive()) {
    promise->addResult(fail(ErrorCode::Busy, "this console runs an engine already"));
    promise->finish();
    return reply;
  }
  m_starting = std::move(promise);
  m_options = options;
  if (m_options.controlSocket.isEmpty()) m_options.controlSocket = defaultControlSocket();
  m_quickCrashes = 0;
  setState(State::Starting);
  launch();
  return reply;
}

void EngineProcess::launch() {
  m_errorLines.clear();
  m_outputTail.clear();
  m_errorTail.clear();
  m_process = std::make_unique<QProcess>();
  m_process->setProgram(m_program.isEmpty() ? findProgram() : m_program);
  m_process->setArguments(argumentsOf(m_options));
  // Its own session: Ctrl+C in the console's terminal, or closing that terminal, must not take the datastore away from the hosts.
  m_process->setChildProcessModifier([] { ::setsid(); });
  connectProcess();
  m_run.start();
  m_served = false;
  m_startTimer.start(m_state == State::Restarting ? m_timing.restartMax : m_timing.startMax);
  m_process->start();
}

void EngineProcess::connectProcess() {
  connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &EngineProcess::readOutput);
  connect(m_process.get(), &QProcess::readyReadStandardError, this, &EngineProcess::readErrors);
  connect(m_process.get(), &QProcess::finished, this, &EngineProcess::onExited);
  // Queued, because a program that does not exist may be reported while it is being started.
  connect(m_process.get(), &QProcess::errorOccurred, this, &EngineProcess::onProcessError, Qt::QueuedConnection);
}

void EngineProcess::readOutput() {
  m_outputTail += m_process->readAllStandardOutput();
  for (const QString& line : takeLines(m_outputTail))
    if (const auto ready = parseReadyLine(line)) onReadyLine(*ready);
}

void EngineProcess::readErrors() {
  m_errorTail += m_process->readAllStandardError();
  for (const QString& line : takeLines(m_errorTail)) {
    if (line.isEmpty()) continue;
    m_errorLines << line;
    if (m_errorLines.size() > errorLinesMax) m_errorLines.removeFirst();
  }
}

void EngineProcess::onReadyLine(const EngineReady& readiness) {
  if (m_state != State::Starting && m_state != State::Restarting) return;
  m_startTimer.stop();
  m_ready = readiness;
  m_served = true;
  setState(State::Running);
  Q_EMIT ready(readiness);
  settleStart(readiness);
}

void EngineProcess::onStartTimeout() {
  if (!m_process) return;
  m_errorLines << tr("it did not serve within %1 s").arg(m_startTimer.interval() / 1000);
  m_process->kill();
}

void EngineProcess::onExited(int exitCode, QProcess::ExitStatus status) {
  readOutput();
  m_errorTail += '\n';
  readErrors();
  m_startTimer.stop();
  m_killTimer.stop();
  m_ready.reset();
  m_process.release()->deleteLater();
  if (m_state == State::Stopping) {
    setState(State::Stopped);
    settleStart(fail(ErrorCode::Cancelled, "the engine was stopped"));
    return;
  }
  const bool crashed = status == QProcess::CrashExit;
  QString why = lastWords();
  if (why.isEmpty()) why = crashed ? tr("the engine crashed") : tr("the engine ended with status %1").arg(exitCode);
  if (m_starting) return giveUp(crashed ? ErrorCode::Internal : ErrorCode::InvalidArgument, why);
  if (!crashed && exitCode == 0) return setState(State::Stopped, tr("the engine was stopped by someone else"));
  onCrash(why);
}

void EngineProcess::onProcessError(QProcess::ProcessError error) {
  if (error != QProcess::FailedToStart || !m_process) return;
  m_startTimer.stop();
  const QString why = tr("%1 cannot be started: %2").arg(m_process->program(), m_process->errorString());
  m_process.release()->deleteLater();
  giveUp(ErrorCode::NotFound, why);
}

void EngineProcess::onCrash(const QString& why) {
  const bool quick = !m_served || m_run.elapsed() < m_timing.quickCrash.count();
  m_quickCrashes = quick ? m_quickCrashes + 1 : 1;
  if (m_quickCrashes >= quickCrashesMax) return giveUp(ErrorCode::Internal, tr("the engine crashed %1 times in a row; last: %2").arg(m_quickCrashes).arg(why));
  auto delay = m_timing.backOffMin;
  for (int i = 1; i < m_quickCrashes; ++i) delay = std::min(delay * 2, m_timing.backOffMax);
  setState(State::Restarting, why);
  m_restartTimer.start(delay);
}

void EngineProcess::giveUp(ErrorCode code, const QString& why) {
  setState(State::Failed, why);
  settleStart(fail(code, why.toStdString()));
}

void EngineProcess::settleStart(Result<EngineReady> result) {
  if (!m_starting) return;
  const auto promise = std::move(m_starting);
  promise->addResult(std::move(result));
  promise->finish();
}

void EngineProcess::stop() {
  m_restartTimer.stop();
  if (!m_process) {
    if (m_state == State::Restarting) setState(State::Stopped);
    return;
  }
  if (m_state == State::Stopping) return;
  setState(State::Stopping);
  m_startTimer.stop();
  m_killTimer.start(m_timing.terminateMax);
  m_process->terminate();
}

void EngineProcess::leaveRunning() {
  if (!m_process) return;
  m_process->disconnect(this);
  m_startTimer.stop();
  // A QProcess kills its child when it is destroyed, and offers no other way to let go of it.
  static_cast<void>(m_process.release());
  setState(State::Stopped);
}

Reply<StoreCheck> EngineProcess::checkStore(const QString& path) {
  return runStoreCheck(m_program.isEmpty() ? findProgram() : m_program, path, m_timing.checkMax);
}

void EngineProcess::setState(State state, const QString& reason) {
  if (m_state == state && m_reason == reason) return;
  m_state = state;
  m_reason = reason;
  Q_EMIT stateChanged(state);
}

QString EngineProcess::lastWords() const {
  QString words = m_errorLines.isEmpty() ? QString() : m_errorLines.last();
  if (words.startsWith(QLatin1String("quarryd: "))) words.remove(0, 9);
  return words;
}

}  // namespace quarry
