// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/engine_client.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QPromise>
#include <QSignalBlocker>
#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/protocol/version.h"

namespace quarry {
namespace {

using std::chrono::steady_clock;

template <class T>
Result<T> decoded(Result<std::string>&& json) {
  if (!json) return fail(json.error());
  if constexpr (std::is_void_v<T>)
    return protocol::fromJson<std::monostate>(*json).map([](std::monostate) {});
  else
    return protocol::fromJson<T>(*json);
}

std::string compactJson(const QJsonObject& object) { return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString(); }

std::string jobParams(int64_t id) { return compactJson({{QStringLiteral("id"), static_cast<qint64>(id)}}); }

constexpr const char* noParams = "{}";
constexpr steady_clock::time_point never = steady_clock::time_point::max();

QString socketWords(QLocalSocket::LocalSocketError error, const QString& systemWords) {
  switch (error) {
    case QLocalSocket::ServerNotFoundError:
    case QLocalSocket::ConnectionRefusedError: return EngineClient::tr("no engine answers there");
    case QLocalSocket::SocketAccessError: return EngineClient::tr("this user may not use its control socket");
    case QLocalSocket::PeerClosedError: return EngineClient::tr("the engine closed the connection");
    case QLocalSocket::SocketTimeoutError: return EngineClient::tr("the engine does not answer");
    case QLocalSocket::SocketResourceError: return EngineClient::tr("this machine has no socket left for it");
    case QLocalSocket::DatagramTooLargeError:
    case QLocalSocket::ConnectionError:
    case QLocalSocket::UnsupportedSocketOperationError:
    case QLocalSocket::OperationError:
    case QLocalSocket::UnknownSocketError: return systemWords;
  }
  return systemWords;
}

}  // namespace

EngineClient::EngineClient(QObject* parent) : EngineApi(parent) {
  connect(&m_socket, &QLocalSocket::connected, this, &EngineClient::onSocketConnected);
  connect(&m_socket, &QLocalSocket::disconnected, this, [this] { onSocketGone(tr("the engine closed the connection")); });
  connect(&m_socket, &QLocalSocket::errorOccurred, this, [this](QLocalSocket::LocalSocketError error) {
    onSocketGone(socketWords(error, m_socket.errorString()));
  });
  connect(&m_socket, &QLocalSocket::readyRead, this, &EngineClient::onReadyRead);
  for (QTimer* timer : {&m_reconnectTimer, &m_helloTimer, &m_deadlineTimer}) timer->setSingleShot(true);
  connect(&m_reconnectTimer, &QTimer::timeout, this, &EngineClient::open);
  connect(&m_helloTimer, &QTimer::timeout, this, [this] { drop(Connection::Lost, tr("it did not greet as an engine does")); });
  connect(&m_deadlineTimer, &QTimer::timeout, this, &EngineClient::onDeadline);
}

EngineClient::~EngineClient() {
  const QSignalBlocker quiet(this);
  disconnectFromEngine();
}

void EngineClient::connectTo(const QString& socketPath, const QString& name) {
  disconnectFromEngine();
  m_socketPath = socketPath;
  m_name = name;
  m_backOff = m_timing.backOffMin;
  setConnection(Connection::Connecting, name);
  open();
}

void EngineClient::disconnectFromEngine() {
  m_socketPath.clear();
  closeSocket();
  setConnection(Connection::Lost, tr("Not connected"));
  failPending({ErrorCode::Disconnected, "the console left the engine"});
}

void EngineClient::retryNow() {
  if (m_connection == Connection::Connected || m_connection == Connection::Connecting) return;
  closeSocket();
  m_backOff = m_timing.backOffMin;
  open();
}

void EngineClient::open() {
  if (m_socketPath.isEmpty()) return;
  ++m_generation;
  m_socket.connectToServer(m_socketPath);
}

void EngineClient::onSocketConnected() { m_helloTimer.start(m_timing.helloMax); }

void EngineClient::onSocketGone(const QString& why) { drop(Connection::Lost, why); }

// Signals are blocked because abort() itself reports what it ends, and one end of a connection is to be handled once.
void EngineClient::closeSocket() {
  const QSignalBlocker quiet(&m_socket);
  m_socket.abort();
  m_buffer.clear();
  m_scanned = 0;
  for (QTimer* timer : {&m_reconnectTimer, &m_helloTimer, &m_deadlineTimer}) timer->stop();
}

void EngineClient::drop(Connection connection, const QString& why) {
  closeSocket();
  m_reconnectTimer.start(m_backOff);
  m_backOff = std::min(m_backOff * 2, m_timing.backOffMax);
  setConnection(connection, connection == Connection::Incompatible ? why : tr("%1: %2").arg(m_name, why));
  failPending({ErrorCode::Disconnected, why.toStdString()});
}

void EngineClient::onReadyRead() {
  m_buffer += m_socket.readAll();
  while (true) {
    const qsizetype end = m_buffer.indexOf('\n', m_scanned);
    if (end < 0) break;
    const QByteArray line = m_buffer.left(end);
    m_buffer.remove(0, end + 1);
    m_scanned = 0;
    if (!takeLine(line)) return;
  }
  m_scanned = m_buffer.size();
  if (static_cast<size_t>(m_buffer.size()) > protocol::lineBytesMax) drop(Connection::Lost, tr("it sent a line without end"));
}

// False when the connection it came from is gone afterwards.
bool EngineClient::takeLine(const QByteArray& line) {
  const Result<protocol::RpcMessage> message = protocol::decodeLine({line.constData(), static_cast<size_t>(line.size())});
  if (!message) {
    drop(Connection::Lost, tr("it sent something that is no message: %1").arg(QString::fromStdString(message.error().message)));
    return false;
  }
  const int generation = m_generation;
  if (message->method.empty())
    takeReply(*message);
  else
    takeNotification(*message);
  return generation == m_generation && m_socket.state() == QLocalSocket::ConnectedState;
}

void EngineClient::takeNotification(const protocol::RpcMessage& message) {
  if (message.method == "hello") return takeHello(message.params);
  if (m_connection != Connection::Connected) return;
  if (message.method == "stats.sample") {
    if (const auto sample = protocol::fromJson<protocol::StatSample>(message.params)) Q_EMIT statSample(*sample);
  } else if (message.method == "job.changed") {
    if (const auto job = protocol::fromJson<protocol::JobInfo>(message.params)) Q_EMIT jobChanged(*job);
  } else if (message.method == "event.added") {
    if (const auto event = protocol::fromJson<protocol::Event>(message.params)) Q_EMIT eventAdded(*event);
  } else if (message.method == "vstorage.changed") {
    Q_EMIT vstoragesChanged();
  } else if (message.method == "cache.changed") {
    Q_EMIT cacheChanged();
  }
}

void EngineClient::takeHello(const std::string& params) {
  const Result<protocol::Hello> hello = protocol::fromJson<protocol::Hello>(params);
  if (!hello) return drop(Connection::Lost, tr("Its greeting could not be understood"));
  if (hello->protocolMajor != protocol::versionMajor) {
    m_backOff = m_timing.backOffMax;  // only an update changes this
    return drop(Connection::Incompatible, tr("Engine %1 speaks protocol %2.%3, this console needs %4.x. Update the older of the two.")
                                              .arg(QString::fromStdString(hello->engineVersion))
                                              .arg(hello->protocolMajor)
                                              .arg(hello->protocolMinor)
                                              .arg(protocol::versionMajor));
  }
  if (m_connection == Connection::Connected) return;
  m_helloTimer.stop();
  m_backOff = m_timing.backOffMin;
  m_connection = Connection::Connected;
  m_text = m_name;
  if (!m_prefixes.isEmpty()) sendSubscription();
  Q_EMIT connectionChanged(m_connection);
}

void EngineClient::takeReply(const protocol::RpcMessage& message) {
  if (!message.id) return;
  auto pending = m_pending.extract(*message.id);
  if (pending.empty()) return;  // timed out before
  if (message.error)
    pending.mapped().settle(fail(*message.error));
  else
    pending.mapped().settle(message.params);
}

void EngineClient::failPending(const Error& error) {
  for (auto& [id, pending] : std::exchange(m_pending, {})) pending.settle(fail(error));
}

void EngineClient::onDeadline() {
  const auto now = steady_clock::now();
  for (auto next = nextDeadline(); next != m_pending.end() && next->second.deadline <= now; next = nextDeadline()) {
    auto expired = m_pending.extract(next);
    expired.mapped().settle(fail(ErrorCode::Timeout, "no answer from the engine"));
  }
  startDeadlineTimer();
}

// Ids and deadlines grow together, so the first pending request that has one is the next to expire.
std::map<int64_t, EngineClient::Pending>::iterator EngineClient::nextDeadline() {
  return std::find_if(m_pending.begin(), m_pending.end(), [](const auto& entry) { return entry.second.deadline != never; });
}

void EngineClient::startDeadlineTimer() {
  const auto next = nextDeadline();
  if (next == m_pending.end() || m_deadlineTimer.isActive()) return;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next->second.deadline - steady_clock::now());
  m_deadlineTimer.start(std::max(left, std::chrono::milliseconds(0)));
}

void EngineClient::send(const char* method, const std::string& params, Settle settle, Limit limit) {
  if (m_connection != Connection::Connected) return settle(fail(ErrorCode::Disconnected, m_text.toStdString()));
  if (m_pending.size() >= pendingMax) return settle(fail(ErrorCode::Busy, "too many requests wait for the engine"));
  const int64_t id = ++m_lastId;
  const auto deadline = limit == Limit::None ? never : steady_clock::now() + m_timing.requestMax;
  m_pending.emplace(id, Pending{.settle = std::move(settle), .deadline = deadline});
  startDeadlineTimer();
  const std::string line = protocol::encodeRequest(id, method, params);
  m_socket.write(line.data(), static_cast<qint64>(line.size()));
}

template <class T>
Reply<T> EngineClient::call(const char* method, const std::string& params, Limit limit) {
  auto promise = std::make_shared<QPromise<Result<T>>>();
  promise->start();
  const auto settle = [promise](Result<std::string> json) {
    promise->addResult(decoded<T>(std::move(json)));
    promise->finish();
  };
  send(method, params, settle, limit);
  return promise->future();
}

void EngineClient::subscribeStats(const QStringList& prefixes) {
  QStringList wanted = prefixes;
  wanted.sort();
  wanted.removeDuplicates();
  if (wanted == m_prefixes) return;
  m_prefixes = wanted;
  if (m_connection == Connection::Connected) sendSubscription();
}

void EngineClient::sendSubscription() {
  protocol::StatSubscribe request;
  for (const QString& prefix : std::as_const(m_prefixes)) request.prefixes.push_back(prefix.toStdString());
  send("stats.subscribe", protocol::toJson(request), [this](const Result<std::string>& json) {
    const bool refused = !json && json.error().code != ErrorCode::Disconnected;
    if (refused) drop(Connection::Lost, tr("it refused to send statistics: %1").arg(QString::fromStdString(json.error().message)));
  });
}

void EngineClient::setConnection(Connection connection, const QString& text) {
  if (m_connection == connection && m_text == text) return;
  m_connection = connection;
  m_text = text;
  Q_EMIT connectionChanged(connection);
}

Reply<protocol::EngineStatus> EngineClient::status() { return call<protocol::EngineStatus>("status.show", noParams); }

Reply<std::vector<protocol::VstorageInfo>> EngineClient::listVstorages() {
  return call<std::vector<protocol::VstorageInfo>>("vstorage.list", noParams);
}

Reply<protocol::VstorageInfo> EngineClient::createVstorage(const protocol::VstorageCreate& request) {
  return call<protocol::VstorageInfo>("vstorage.create", protocol::toJson(request));
}

Reply<protocol::VstorageInfo> EngineClient::setVstorage(const protocol::VstorageSet& request) {
  return call<protocol::VstorageInfo>("vstorage.set", protocol::toJson(request));
}

Reply<> EngineClient::removeVstorage(const protocol::VstorageRemove& request) { return call<void>("vstorage.remove", protocol::toJson(request)); }

Reply<protocol::Policy> EngineClient::setPolicy(const protocol::PolicySet& request) {
  return call<protocol::Policy>("policy.set", protocol::toJson(request));
}

Reply<protocol::JobInfo> EngineClient::startJob(const protocol::JobStart& request) {
  return call<protocol::JobInfo>("job.start", protocol::toJson(request));
}

Reply<std::vector<protocol::JobInfo>> EngineClient::listJobs() { return call<std::vector<protocol::JobInfo>>("job.list", noParams); }

Reply<protocol::JobInfo> EngineClient::cancelJob(int64_t id) { return call<protocol::JobInfo>("job.cancel", jobParams(id)); }

Reply<std::vector<protocol::VmInfo>> EngineClient::listVms() { return call<std::vector<protocol::VmInfo>>("vm.list", noParams); }

Reply<protocol::VmDetail> EngineClient::showVm(const QString& vstorage, const QString& name) {
  return call<protocol::VmDetail>("vm.show", compactJson({{QStringLiteral("vstorage"), vstorage}, {QStringLiteral("name"), name}}));
}

Reply<protocol::CacheInfo> EngineClient::showCache() { return call<protocol::CacheInfo>("cache.show", noParams); }

Reply<protocol::CacheInfo> EngineClient::setCacheSize(uint64_t bytes) {
  return call<protocol::CacheInfo>("cache.size", protocol::toJson(protocol::CacheSizeSet{.bytes = bytes}));
}

Reply<protocol::CacheAdvice> EngineClient::adviseCache() { return call<protocol::CacheAdvice>("cache.advice", noParams); }

Reply<protocol::CacheFlushed> EngineClient::flushCache(const QString& vstorage) {
  return call<protocol::CacheFlushed>("cache.flush", protocol::toJson(protocol::CacheFlush{.vstorage = vstorage.toStdString()}), Limit::None);
}

Reply<std::vector<protocol::Event>> EngineClient::listEvents() { return call<std::vector<protocol::Event>>("event.list", noParams); }

Reply<std::vector<protocol::StatDescription>> EngineClient::describeStats() {
  return call<std::vector<protocol::StatDescription>>("stats.describe", noParams);
}

Reply<std::vector<protocol::StatSeries>> EngineClient::statHistory(const protocol::StatHistoryRequest& request) {
  return call<std::vector<protocol::StatSeries>>("stats.history", protocol::toJson(request));
}

}  // namespace quarry
