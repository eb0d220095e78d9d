// SPDX-License-Identifier: GPL-3.0-or-later
// EngineApi over a local socket: one JSON-RPC 2.0 object per line (engine/protocol/README.md). Connected only after the engine's "hello"
// with the same major protocol version. When the connection drops, everything pending gets Disconnected and the client tries again after
// 0.25 s, doubling to 5 s, for ever; then it subscribes again to the same set. A line that is no message drops the connection. GUI thread only.
#pragma once

#include <QByteArray>
#include <QLocalSocket>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "app/client/engine_api.h"
#include "engine/protocol/codec.h"

namespace quarry {

class EngineClient : public EngineApi {
  Q_OBJECT
 public:
  struct Timing {
    std::chrono::milliseconds requestMax{30'000};
    std::chrono::milliseconds helloMax{5'000};
    std::chrono::milliseconds backOffMin{250};
    std::chrono::milliseconds backOffMax{5'000};
  };
  static constexpr size_t pendingMax = 1000;  // further requests are refused with Busy

  explicit EngineClient(QObject* parent = nullptr);
  ~EngineClient() override;

  void setTiming(const Timing& timing) { m_timing = timing; }
  // Connects, or leaves the old socket for this one. name: shown to people, such as "this machine".
  void connectTo(const QString& socketPath, const QString& name);
  void disconnectFromEngine();  // and stops trying
  void retryNow();              // instead of waiting for the next try; nothing while connected
  QString socketPath() const { return m_socketPath; }  // empty: disconnected on purpose

  Connection connection() const override { return m_connection; }
  QString connectionText() const override { return m_text; }
  Reply<protocol::EngineStatus> status() override;
  Reply<std::vector<protocol::VstorageInfo>> listVstorages() override;
  Reply<protocol::VstorageInfo> createVstorage(const protocol::VstorageCreate& request) override;
  Reply<protocol::VstorageInfo> setVstorage(const protocol::VstorageSet& request) override;
  Reply<> removeVstorage(const protocol::VstorageRemove& request) override;
  Reply<protocol::Policy> setPolicy(const protocol::PolicySet& request) override;
  Reply<protocol::JobInfo> startJob(const protocol::JobStart& request) override;
  Reply<std::vector<protocol::JobInfo>> listJobs() override;
  Reply<protocol::JobInfo> cancelJob(int64_t id) override;
  Reply<std::vector<protocol::VmInfo>> listVms() override;
  Reply<protocol::VmDetail> showVm(const QString& vstorage, const QString& name) override;
  Reply<protocol::CacheInfo> showCache() override;
  Reply<protocol::CacheInfo> setCacheSize(uint64_t bytes) override;
  Reply<protocol::CacheAdvice> adviseCache() override;
  Reply<protocol::CacheFlushed> flushCache(const QString& vstorage) override;
  Reply<std::vector<protocol::Event>> listEvents() override;
  Reply<std::vector<protocol::StatDescription>> describeStats() override;
  Reply<std::vector<protocol::StatSeries>> statHistory(const protocol::StatHistoryRequest& request) override;
  void subscribeStats(const QStringList& prefixes) override;

 private:
  using Settle = std::function<void(Result<std::string> json)>;
  enum class Limit { Request, None };  // none: what may take as long as a disk needs
  struct Pending {
    Settle settle;
    std::chrono::steady_clock::time_point deadline;
  };

  template <class T>
  Reply<T> call(const char* method, const std::string& params, Limit limit = Limit::Request);
  void send(const char* method, const std::string& params, Settle settle, Limit limit = Limit::Request);
  void open();
  void onSocketConnected();
  void onSocketGone(const QString& why);
  void closeSocket();
  void onReadyRead();
  bool takeLine(const QByteArray& line);
  void takeNotification(const protocol::RpcMessage& message);
  void takeHello(const std::string& params);
  void takeReply(const protocol::RpcMessage& message);
  void drop(Connection connection, const QString& why);
  void failPending(const Error& error);
  void sendSubscription();
  void onDeadline();
  std::map<int64_t, Pending>::iterator nextDeadline();  // the end when nothing expires
  void startDeadlineTimer();
  void setConnection(Connection connection, const QString& text);

  Timing m_timing;
  QString m_socketPath;
  QString m_name;
  Connection m_connection = Connection::Lost;
  QString m_text;
  QLocalSocket m_socket;
  QByteArray m_buffer;
  int m_generation = 0;     // of the socket's connections
  qsizetype m_scanned = 0;  // bytes of m_buffer known to hold no line end
  std::map<int64_t, Pending> m_pending;
  int64_t m_lastId = 0;
  QStringList m_prefixes;  // a set, sorted
  std::chrono::milliseconds m_backOff{0};
  QTimer m_reconnectTimer;
  QTimer m_helloTimer;
  QTimer m_deadlineTimer;
};

}  // namespace quarry
