// SPDX-License-Identifier: GPL-3.0-or-later
// The ControlApi of a running engine: each verb wraps the part that does the work and adds nothing to it.
// Threads: called on the control thread. Ownership: every part outlives it.
#pragma once

#include <functional>
#include <string>

#include "engine/control/control_api.h"
#include "engine/dedup/optimizer.h"
#include "engine/event_log.h"
#include "engine/jobs/job_runner.h"
#include "engine/nfs/nfs_server.h"
#include "engine/stats/sampler.h"
#include "engine/cache_report.h"
#include "engine/store.h"
#include "engine/vstorage_files.h"

namespace quarry {

class EngineControl : public ControlApi {
 public:
  struct Parts {
    Store& store;
    VstorageFiles& files;
    JobRunner& jobs;
    StatRegistry& registry;
    Sampler& sampler;
    EventLog& events;
    CacheReport& cacheReport;
    dedup::OptimizerParts optimizer;
    asio::thread_pool& workers;
    const Clock& clock;
    std::string listenAddress;
    std::string controlSocket;
    std::function<int()> nfsPort;
    std::function<uint64_t()> connectionCount;
    std::function<void()> vstoragesChanged;  // tells the consoles
    std::function<void()> cacheChanged;
  };
  explicit EngineControl(Parts parts);

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
  void addRates(protocol::VmInfo& vm) const;
  double rate(const std::string& id) const;  // 0 where nothing is sampled

  Parts m_parts;
  const Timestamp m_startedAt;
  const std::chrono::steady_clock::time_point m_startedSteady;
};

}  // namespace quarry
