// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_control_api.h"

#include <algorithm>
#include <asio/use_awaitable.hpp>

namespace quarry {

using namespace protocol;

Result<void> FakeControlApi::checkFailure() {
  if (!m_nextError) return {};
  const Error error = *m_nextError;
  m_nextError.reset();
  return fail(error);
}

Result<VstorageInfo*> FakeControlApi::find(const std::string& name) {
  if (auto allowed = checkFailure(); !allowed) return fail(allowed.error());
  const auto found = m_vstorages.find(name);
  if (found == m_vstorages.end()) return fail(ErrorCode::NotFound, "there is no vstorage '" + name + "'");
  return &found->second;
}

Task<Result<EngineStatus>> FakeControlApi::showStatus() {
  std::chrono::milliseconds delay{0};
  {
    Lock lock(m_mutex);
    delay = m_statusDelay;
  }
  if (delay.count() > 0) {
    asio::steady_timer timer(co_await asio::this_coro::executor, delay);
    co_await timer.async_wait(asio::use_awaitable);
  }
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  EngineStatus status;
  status.engineVersion = "0.1.0";
  status.storePath = "/srv/quarry";
  status.nfsAddress = "0.0.0.0";
  status.nfsPort = 2049;
  status.startedAt = "2026-11-30T19:22:04Z";
  status.uptimeSeconds = 3725;
  status.vstorageCount = static_cast<int>(m_vstorages.size());
  status.vmCount = static_cast<int>(m_vms.size());
  status.space = {.diskBytes = 100ull << 30, .freeBytes = 60ull << 30, .reserveBytes = 1ull << 30, .availableBytes = 59ull << 30, .storeBytes = 7ull << 30};
  status.savings = {.logicalBytes = 40ull << 30, .zeroBytes = 20ull << 30, .duplicateBytes = 9ull << 30,
                    .compressedAwayBytes = 6ull << 30, .storedBytes = 5ull << 30, .landingBytes = 0, .savedRatio = 0.75};
  co_return status;
}

Task<Result<VstorageInfo>> FakeControlApi::createVstorage(VstorageCreate request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  m_lastCreate = request;
  if (m_vstorages.contains(request.name)) co_return fail(ErrorCode::Exists, "vstorage '" + request.name + "' exists");
  VstorageInfo info;
  info.name = request.name;
  info.writeMode = request.writeMode;
  info.clients = request.clients;
  info.squash = request.squash;
  info.readOnly = request.readOnly;
  info.quotaBytes = request.quotaBytes;
  m_vstorages.emplace(request.name, info);
  co_return info;
}

Task<Result<std::vector<VstorageInfo>>> FakeControlApi::listVstorages() {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  std::vector<VstorageInfo> list;
  for (const auto& [name, info] : m_vstorages) list.push_back(info);
  co_return list;
}

Task<Result<VstorageInfo>> FakeControlApi::showVstorage(VstorageRequest request) {
  Lock lock(m_mutex);
  const auto found = find(request.name);
  if (!found) co_return fail(found.error());
  co_return **found;
}

Task<Result<VstorageInfo>> FakeControlApi::setVstorage(VstorageSet request) {
  Lock lock(m_mutex);
  const auto found = find(request.name);
  if (!found) co_return fail(found.error());
  VstorageInfo& info = **found;
  info.writeMode = request.writeMode.value_or(info.writeMode);
  info.clients = request.clients.value_or(info.clients);
  info.squash = request.squash.value_or(info.squash);
  info.readOnly = request.readOnly.value_or(info.readOnly);
  info.quotaBytes = request.quotaBytes.value_or(info.quotaBytes);
  co_return info;
}

Task<Result<void>> FakeControlApi::removeVstorage(VstorageRemove request) {
  Lock lock(m_mutex);
  const auto found = find(request.name);
  if (!found) co_return fail(found.error());
  if ((*found)->fileCount > 0 && !request.force) co_return fail(ErrorCode::NotEmpty, "it holds files");
  m_vstorages.erase(request.name);
  co_return Result<void>();
}

Task<Result<CacheInfo>> FakeControlApi::showCache() {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  co_return m_cache;
}

Task<Result<CacheInfo>> FakeControlApi::sizeCache(CacheSizeSet request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  if (request.bytes < m_cache.budgetBytesMin || request.bytes > m_cache.budgetBytesMax)
    co_return fail(ErrorCode::InvalidArgument, "this machine has not that much memory");
  m_cache.budgetBytes = request.bytes;
  co_return m_cache;
}

Task<Result<CacheAdvice>> FakeControlApi::adviseCache() {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  co_return m_advice;
}

Task<Result<CacheFlushed>> FakeControlApi::flushCache(CacheFlush request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  if (!request.vstorage.empty() && !m_vstorages.contains(request.vstorage))
    co_return fail(ErrorCode::NotFound, "there is no vstorage '" + request.vstorage + "'");
  m_lastFlush = request.vstorage;
  const CacheFlushed flushed{.bytes = m_cache.dirtyBytes};
  m_cache.dirtyBytes = 0;
  co_return flushed;
}

Task<Result<Policy>> FakeControlApi::showPolicy(VstorageRequest request) {
  Lock lock(m_mutex);
  const auto found = find(request.name);
  if (!found) co_return fail(found.error());
  co_return (*found)->policy;
}

Task<Result<Policy>> FakeControlApi::setPolicy(PolicySet request) {
  Lock lock(m_mutex);
  const auto found = find(request.name);
  if (!found) co_return fail(found.error());
  Policy& policy = (*found)->policy;
  policy.minAgeSeconds = request.minAgeSeconds.value_or(policy.minAgeSeconds);
  policy.minSizeBytes = request.minSizeBytes.value_or(policy.minSizeBytes);
  policy.exclude = request.exclude.value_or(policy.exclude);
  policy.level = request.level.value_or(policy.level);
  co_return policy;
}

Task<Result<JobInfo>> FakeControlApi::startJob(JobStart request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  m_lastJobStart = request;
  JobInfo job;
  job.id = static_cast<int64_t>(m_jobs.size()) + 1;
  job.type = request.type;
  job.state = JobState::Running;
  job.vstorage = request.vstorage;
  job.bytesTotal = 1000;
  m_jobs.emplace(job.id, job);
  co_return job;
}

Task<Result<std::vector<JobInfo>>> FakeControlApi::listJobs() {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  std::vector<JobInfo> list;
  for (const auto& [id, job] : m_jobs) list.insert(list.begin(), job);
  co_return list;
}

Task<Result<JobInfo>> FakeControlApi::showJob(JobRequest request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  const auto found = m_jobs.find(request.id);
  if (found == m_jobs.end()) co_return fail(ErrorCode::NotFound, "there is no job " + std::to_string(request.id));
  JobInfo& job = found->second;
  if (job.state == JobState::Running && m_plannedSteps-- <= 0) {
    job.state = m_plannedEnd;
    job.error = m_plannedError;
    job.bytesDone = job.bytesTotal;
  } else if (job.state == JobState::Running) {
    job.bytesDone += 100;
    job.bytesPerSecond = 50;
    job.secondsLeft = 10;
  }
  co_return job;
}

Task<Result<JobInfo>> FakeControlApi::cancelJob(JobRequest request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  ++m_cancelCount;
  const auto found = m_jobs.find(request.id);
  if (found == m_jobs.end()) co_return fail(ErrorCode::NotFound, "there is no job " + std::to_string(request.id));
  found->second.state = JobState::Cancelled;
  co_return found->second;
}

Task<Result<std::vector<VmInfo>>> FakeControlApi::listVms(VmList request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  std::vector<VmInfo> list;
  for (const VmDetail& vm : m_vms)
    if (request.vstorage.empty() || vm.vm.vstorage == request.vstorage) list.push_back(vm.vm);
  co_return list;
}

Task<Result<VmDetail>> FakeControlApi::showVm(VmShow request) {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  for (const VmDetail& vm : m_vms)
    if (vm.vm.name == request.name && (request.vstorage.empty() || vm.vm.vstorage == request.vstorage)) co_return vm;
  co_return fail(ErrorCode::NotFound, "there is no VM '" + request.name + "'");
}

Task<Result<std::vector<Event>>> FakeControlApi::listEvents() {
  Lock lock(m_mutex);
  if (auto allowed = checkFailure(); !allowed) co_return fail(allowed.error());
  co_return m_events;
}

Task<Result<std::vector<StatDescription>>> FakeControlApi::describeStats() {
  Lock lock(m_mutex);
  std::vector<StatDescription> list;
  for (const auto& [id, value] : m_stats) {
    const Unit unit = id.ends_with("/bytes") ? Unit::BytesPerSecond : Unit::PerSecond;
    list.push_back({.id = id, .unit = unit, .text = "A test value.", .maximum = 0});
  }
  co_return list;
}

Task<Result<StatSample>> FakeControlApi::showStats(StatSubscribe request) {
  Lock lock(m_mutex);
  StatSample sample{.unixMs = 1'796'066'524'000, .values = {}};
  for (const auto& [id, value] : m_stats) {
    const bool wanted = std::any_of(request.prefixes.begin(), request.prefixes.end(), [&id = id](const auto& prefix) { return id.starts_with(prefix); });
    if (wanted || request.prefixes.empty()) sample.values.emplace(id, value);
  }
  co_return sample;
}

Task<Result<std::vector<StatSeries>>> FakeControlApi::statHistory(StatHistoryRequest request) {
  std::vector<StatSeries> list;
  for (const std::string& id : request.ids) list.push_back({.id = id, .firstUnixMs = 0, .stepMs = 1000, .values = {1}});
  co_return list;
}

}  // namespace quarry
