// SPDX-License-Identifier: GPL-3.0-or-later
// What the control protocol can ask of the engine: one verb per method, in the structs of engine/protocol. The Engine implements it;
// tests have a fake. The method table (control_methods.h) is its only caller.
//
// Threads: called on the control thread, several at once; an implementation that has to work does so elsewhere and co_awaits. It must
// outlive the ControlServer, and every call ends by itself: the server waits for calls underway when it stops.
// Failure: an Error whose message is one line for the administrator.
#pragma once

#include <vector>

#include "engine/base/async.h"
#include "engine/base/result.h"
#include "engine/protocol/messages.h"
#include "engine/protocol/stat_messages.h"

namespace quarry {

class ControlApi {
 public:
  virtual ~ControlApi() = default;

  virtual Task<Result<protocol::EngineStatus>> showStatus() = 0;

  virtual Task<Result<protocol::VstorageInfo>> createVstorage(protocol::VstorageCreate request) = 0;
  virtual Task<Result<std::vector<protocol::VstorageInfo>>> listVstorages() = 0;
  virtual Task<Result<protocol::VstorageInfo>> showVstorage(protocol::VstorageRequest request) = 0;
  virtual Task<Result<protocol::VstorageInfo>> setVstorage(protocol::VstorageSet request) = 0;
  virtual Task<Result<void>> removeVstorage(protocol::VstorageRemove request) = 0;

  virtual Task<Result<protocol::CacheInfo>> showCache() = 0;
  virtual Task<Result<protocol::CacheInfo>> sizeCache(protocol::CacheSizeSet request) = 0;
  virtual Task<Result<protocol::CacheAdvice>> adviseCache() = 0;
  virtual Task<Result<protocol::CacheFlushed>> flushCache(protocol::CacheFlush request) = 0;

  virtual Task<Result<protocol::Policy>> showPolicy(protocol::VstorageRequest request) = 0;
  virtual Task<Result<protocol::Policy>> setPolicy(protocol::PolicySet request) = 0;

  virtual Task<Result<protocol::JobInfo>> startJob(protocol::JobStart request) = 0;
  virtual Task<Result<std::vector<protocol::JobInfo>>> listJobs() = 0;
  virtual Task<Result<protocol::JobInfo>> showJob(protocol::JobRequest request) = 0;
  virtual Task<Result<protocol::JobInfo>> cancelJob(protocol::JobRequest request) = 0;

  virtual Task<Result<std::vector<protocol::VmInfo>>> listVms(protocol::VmList request) = 0;
  virtual Task<Result<protocol::VmDetail>> showVm(protocol::VmShow request) = 0;

  virtual Task<Result<std::vector<protocol::Event>>> listEvents() = 0;

  virtual Task<Result<std::vector<protocol::StatDescription>>> describeStats() = 0;
  virtual Task<Result<protocol::StatSample>> showStats(protocol::StatSubscribe request) = 0;
  virtual Task<Result<std::vector<protocol::StatSeries>>> statHistory(protocol::StatHistoryRequest request) = 0;
};

}  // namespace quarry
