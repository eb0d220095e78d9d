// SPDX-License-Identifier: GPL-3.0-or-later
// An engine without a process: answers from lists that the test sets, one event-loop turn later, and sends what it is told to send.
// GUI thread only. Starts Connected and empty; loadDemo() fills it with two vstorages and 35 VMs, some with very long names.
#pragma once

#include <QStringList>
#include <QTimer>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/client/engine_api.h"

namespace quarry::test {

class FakeEngine : public EngineApi {
  Q_OBJECT
 public:
  explicit FakeEngine(QObject* parent = nullptr);

  // What it answers with; change freely, then notify with the signals below where the real engine would.
  protocol::EngineStatus engineStatus;
  std::vector<protocol::VstorageInfo> vstorages;
  std::vector<protocol::JobInfo> jobs;
  std::vector<protocol::VmInfo> vms;
  std::vector<protocol::Event> events;
  std::vector<protocol::StatDescription> descriptions;
  protocol::CacheInfo cache;     // its vstorages follow the list above in everything but their numbers
  protocol::CacheAdvice advice;

  void loadDemo(uint32_t seed = 1);      // two vstorages, 35 VMs, jobs, events, descriptions, cache, history
  void failNext(ErrorCode code, const std::string& message = "made to fail by the test");  // the next call, once per call of this
  void setConnection(Connection connection, const QString& text = {});  // emits; calls answer Disconnected unless Connected
  void holdReplies();                    // answers wait …
  void releaseReplies();                 // … until now
  void startLiveSamples(int intervalMs = 1000);
  void stopLiveSamples();
  void sendSample();                     // one sample of what is subscribed, one second later than the last
  void sendJob(const protocol::JobInfo& job);        // puts it into jobs and emits jobChanged
  void advanceJobs(double share);        // running jobs progress by this share of their total; ended ones emit, too
  void sendEvent(const protocol::Event& event);
  void sendVstoragesChanged();
  void sendCacheChanged();

  const QStringList& subscribed() const { return m_subscribed; }
  const QStringList& calls() const { return m_calls; }  // method names in order: "vstorage.create", …
  int64_t nowUnixMs() const { return m_nowUnixMs; }
  void setNow(int64_t unixMs) { m_nowUnixMs = unixMs; }

  Connection connection() const override { return m_connection; }
  QString connectionText() const override { return m_connectionText; }
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
  template <class T>
  Reply<T> answer(const QString& method, std::function<Result<T>()> make);
  void deliver(std::function<void()> send);
  protocol::VstorageInfo* findVstorage(const std::string& name);
  protocol::CacheInfo cacheNow() const;
  bool isSubscribed(const std::string& id) const;

  Connection m_connection = Connection::Connected;
  QString m_connectionText;
  QStringList m_subscribed;
  QStringList m_calls;
  std::deque<Error> m_failures;
  std::vector<std::function<void()>> m_held;
  bool m_holding = false;
  QTimer m_liveTimer;
  int64_t m_nowUnixMs = 1'796'000'000'000;
  int64_t m_lastJobId = 0;
  uint32_t m_seed = 1;
};

}  // namespace quarry::test
