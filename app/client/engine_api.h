// SPDX-License-Identifier: GPL-3.0-or-later
// The one abstract engine the console knows: EngineClient in life, FakeEngine in tests. Every call is asynchronous and
// returns at once; its future finishes on any thread, with an error value (Disconnected, Timeout, …) rather than an exception.
// Signals arrive on the thread this object lives in (the GUI thread). Use only from that thread.
#pragma once

#include <QFuture>
#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

#include "engine/base/result.h"
#include "engine/protocol/messages.h"
#include "engine/protocol/stat_messages.h"

namespace quarry {

template <class T = void>
using Reply = QFuture<Result<T>>;

class EngineApi : public QObject {
  Q_OBJECT
 public:
  enum class Connection { Connecting, Connected, Lost, Incompatible };
  Q_ENUM(Connection)

  using QObject::QObject;

  virtual Connection connection() const = 0;
  virtual QString connectionText() const = 0;  // "this machine", "root@host"; why it is lost

  virtual Reply<protocol::EngineStatus> status() = 0;
  virtual Reply<std::vector<protocol::VstorageInfo>> listVstorages() = 0;
  virtual Reply<protocol::VstorageInfo> createVstorage(const protocol::VstorageCreate& request) = 0;
  virtual Reply<protocol::VstorageInfo> setVstorage(const protocol::VstorageSet& request) = 0;
  virtual Reply<> removeVstorage(const protocol::VstorageRemove& request) = 0;
  virtual Reply<protocol::Policy> setPolicy(const protocol::PolicySet& request) = 0;
  virtual Reply<protocol::JobInfo> startJob(const protocol::JobStart& request) = 0;
  virtual Reply<std::vector<protocol::JobInfo>> listJobs() = 0;
  virtual Reply<protocol::JobInfo> cancelJob(int64_t id) = 0;
  virtual Reply<std::vector<protocol::VmInfo>> listVms() = 0;
  virtual Reply<protocol::VmDetail> showVm(const QString& vstorage, const QString& name) = 0;
  virtual Reply<protocol::CacheInfo> showCache() = 0;
  virtual Reply<protocol::CacheInfo> setCacheSize(uint64_t bytes) = 0;
  virtual Reply<protocol::CacheAdvice> adviseCache() = 0;
  virtual Reply<protocol::CacheFlushed> flushCache(const QString& vstorage) = 0;  // empty: all; as long as the disk needs, without time limit
  virtual Reply<std::vector<protocol::Event>> listEvents() = 0;
  virtual Reply<std::vector<protocol::StatDescription>> describeStats() = 0;
  virtual Reply<std::vector<protocol::StatSeries>> statHistory(const protocol::StatHistoryRequest& request) = 0;

  // The prefixes watched from now on ("engine/", "vm/"); kept over reconnects.
  virtual void subscribeStats(const QStringList& prefixes) = 0;

 Q_SIGNALS:
  void connectionChanged(quarry::EngineApi::Connection connection);
  void statSample(const quarry::protocol::StatSample& sample);
  void jobChanged(const quarry::protocol::JobInfo& job);
  void eventAdded(const quarry::protocol::Event& event);
  void vstoragesChanged();
  void cacheChanged();  // its size
};

}  // namespace quarry
