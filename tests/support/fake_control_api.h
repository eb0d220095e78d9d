// SPDX-License-Identifier: GPL-3.0-or-later
// A ControlApi with vstorages, jobs and VMs in a few maps, so that the control server and quarryctl can be tested over a real
// socket. Its state is guarded: tests look at it from their own thread.
#pragma once

#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/control/control_api.h"

namespace quarry {

class FakeControlApi : public ControlApi {
 public:
  // The next call of any method fails so.
  void failNext(Error error) { Lock lock(m_mutex); m_nextError = std::move(error); }
  // status.show takes this long.
  void delayStatus(std::chrono::milliseconds delay) { Lock lock(m_mutex); m_statusDelay = delay; }
  void addVm(protocol::VmDetail vm) { Lock lock(m_mutex); m_vms.push_back(std::move(vm)); }
  void addEvent(protocol::Event event) { Lock lock(m_mutex); m_events.push_back(std::move(event)); }
  void setCache(protocol::CacheInfo info, protocol::CacheAdvice advice) {
    Lock lock(m_mutex);
    m_cache = std::move(info);
    m_advice = std::move(advice);
  }
  std::string lastFlush() { Lock lock(m_mutex); return m_lastFlush; }
  void setStats(std::map<std::string, double> values) { Lock lock(m_mutex); m_stats = std::move(values); }
  // A started job ends in this state after `steps` looks at it.
  void planJob(protocol::JobState end, std::string error, int steps) {
    Lock lock(m_mutex);
    m_plannedEnd = end;
    m_plannedError = std::move(error);
    m_plannedSteps = steps;
  }
  protocol::JobStart lastJobStart() { Lock lock(m_mutex); return m_lastJobStart; }
  protocol::VstorageCreate lastCreate() { Lock lock(m_mutex); return m_lastCreate; }
  int cancelCount() { Lock lock(m_mutex); return m_cancelCount; }

  Task<Result<protocol::EngineStatus>> showStatus() override;
  Task<Result<protocol::VstorageInfo>> createVstorage(protocol::VstorageCreate request) override;
  Task<Result<std::vector<protocol::VstorageInfo>>> listVstorages() override;
  Task<Result<protocol::VstorageInfo>> showVstorage(protocol::VstorageRequest request) override;
  Task<Result<protocol::VstorageInfo>> setVstorage(protocol::VstorageSet request) override;
  Task<Result<void>> removeVstorage(protocol::VstorageRemove request) override;
  Task<Result<protocol::CacheInfo>> showCache() override;
  Task<Result<protocol::CacheInfo>> sizeCache(protocol::CacheSizeSet request) override;
  Task<Result<protocol::CacheAdvice>> adviseCache() override;
  Task<Result<protocol::CacheFlushed>> flushCache(protocol::CacheFlush request) override;
  Task<Result<protocol::Policy>> showPolicy(protocol::VstorageRequest request) override;
  Task<Result<protocol::Policy>> setPolicy(protocol::PolicySet request) override;
  Task<Result<protocol::JobInfo>> startJob(protocol::JobStart request) override;
  Task<Result<std::vector<protocol::JobInfo>>> listJobs() override;
  Task<Result<protocol::JobInfo>> showJob(protocol::JobRequest request) override;
  Task<Result<protocol::JobInfo>> cancelJob(protocol::JobRequest request) override;
  Task<Result<std::vector<protocol::VmInfo>>> listVms(protocol::VmList request) override;
  Task<Result<protocol::VmDetail>> showVm(protocol::VmShow request) override;
  Task<Result<std::vector<protocol::Event>>> listEvents() override;
  Task<Result<std::vector<protocol::StatDescription>>> describeStats() override;
  Task<Result<protocol::StatSample>> showStats(protocol::StatSubscribe request) override;
  Task<Result<std::vector<protocol::StatSeries>>> statHistory(protocol::StatHistoryRequest request) override;

 private:
  Result<void> checkFailure() REQUIRES(m_mutex);
  Result<protocol::VstorageInfo*> find(const std::string& name) REQUIRES(m_mutex);

  Mutex m_mutex;
  std::optional<Error> m_nextError GUARDED_BY(m_mutex);
  std::chrono::milliseconds m_statusDelay GUARDED_BY(m_mutex){0};
  std::map<std::string, protocol::VstorageInfo> m_vstorages GUARDED_BY(m_mutex);
  std::map<int64_t, protocol::JobInfo> m_jobs GUARDED_BY(m_mutex);
  std::vector<protocol::VmDetail> m_vms GUARDED_BY(m_mutex);
  std::vector<protocol::Event> m_events GUARDED_BY(m_mutex);
  std::map<std::string, double> m_stats GUARDED_BY(m_mutex);
  protocol::CacheInfo m_cache GUARDED_BY(m_mutex);
  protocol::CacheAdvice m_advice GUARDED_BY(m_mutex);
  std::string m_lastFlush GUARDED_BY(m_mutex);
  protocol::JobStart m_lastJobStart GUARDED_BY(m_mutex);
  protocol::VstorageCreate m_lastCreate GUARDED_BY(m_mutex);
  protocol::JobState m_plannedEnd GUARDED_BY(m_mutex) = protocol::JobState::Done;
  std::string m_plannedError GUARDED_BY(m_mutex);
  int m_plannedSteps GUARDED_BY(m_mutex) = 2;
  int m_cancelCount GUARDED_BY(m_mutex) = 0;
};

}  // namespace quarry
