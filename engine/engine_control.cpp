// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_control.h"

#include <cmath>

#include "engine/base/iso_time.h"
#include "engine/export_change.h"
#include "engine/jobs/optimize_job.h"
#include "engine/net/host_addresses.h"
#include "engine/protocol/names.h"
#include "engine/protocol/version.h"

namespace quarry {
namespace {

constexpr std::chrono::milliseconds freshFigures{1000};

}  // namespace

EngineControl::EngineControl(Parts parts)
    : m_parts(std::move(parts)), m_startedAt(m_parts.clock.now()), m_startedSteady(m_parts.clock.steady()) {}

Task<Result<protocol::EngineStatus>> EngineControl::showStatus() {
  const auto savings = co_await m_parts.store.savings().current(freshFigures);
  const uint64_t storeBytes = co_await m_parts.store.usage().bytes();
  const SpaceGuard::Space space = m_parts.store.space().space();
  const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(m_parts.clock.steady() - m_startedSteady);
  protocol::EngineStatus status;
  status.engineVersion = protocol::productVersion;
  status.state = m_parts.store.health().isReadOnly() ? protocol::StoreState::ReadOnly : protocol::StoreState::Serving;
  status.reason = m_parts.store.health().reason();
  status.storePath = m_parts.store.path();
  status.storeId = toHex(m_parts.store.config().id);
  status.nfsAddress = m_parts.listenAddress;
  status.nfsPort = m_parts.nfsPort();
  status.controlSocket = m_parts.controlSocket;
  status.startedAt = isoTime(m_startedAt);
  status.uptimeSeconds = static_cast<uint64_t>(uptime.count());
  status.hostAddresses = net::hostAddresses(m_parts.listenAddress);
  status.vstorageCount = static_cast<int>(m_parts.store.vstorages().all().size());
  status.vmCount = static_cast<int>(m_parts.store.vms().all().size());
  status.connectionCount = m_parts.connectionCount();
  status.space = {.diskBytes = space.totalBytes, .freeBytes = space.freeBytes, .reserveBytes = space.reserveBytes,
                  .availableBytes = space.availableBytes, .storeBytes = storeBytes};
  status.savings = savings->total;
  co_return status;
}

Task<Result<protocol::VstorageInfo>> EngineControl::createVstorage(protocol::VstorageCreate request) {
  auto created = co_await m_parts.store.vstorages().create(std::move(request));
  if (created) {
    m_parts.events.add(protocol::Severity::Info, "vstorage " + created->name, "created");
    m_parts.vstoragesChanged();
  }
  co_return created;
}

Task<Result<std::vector<protocol::VstorageInfo>>> EngineControl::listVstorages() { co_return co_await m_parts.store.vstorages().list(); }

Task<Result<protocol::VstorageInfo>> EngineControl::showVstorage(protocol::VstorageRequest request) {
  co_return co_await m_parts.store.vstorages().show(std::move(request.name));
}

Task<Result<protocol::VstorageInfo>> EngineControl::setVstorage(protocol::VstorageSet request) {
  const auto before = co_await m_parts.store.vstorages().show(request.name);
  if (!before) co_return fail(before.error());
  auto changed = co_await m_parts.store.vstorages().set(std::move(request));
  if (!changed) co_return changed;
  const ExportChange change = exportChange(*before, *changed);
  if (!change.text.empty())
    m_parts.events.add(change.opensAccess ? protocol::Severity::Warning : protocol::Severity::Info, "vstorage " + changed->name, change.text);
  m_parts.vstoragesChanged();
  co_return changed;
}

Task<Result<void>> EngineControl::removeVstorage(protocol::VstorageRemove request) {
  const std::string name = request.name;
  auto removed = co_await m_parts.store.vstorages().remove(std::move(request));
  if (removed) {
    m_parts.events.add(protocol::Severity::Warning, "vstorage " + name, "removed with everything in it");
    m_parts.vstoragesChanged();
  }
  co_return removed;
}

Task<Result<protocol::CacheInfo>> EngineControl::showCache() { co_return m_parts.cacheReport.info(); }
Task<Result<protocol::CacheAdvice>> EngineControl::adviseCache() { co_return m_parts.cacheReport.advice(); }

Task<Result<protocol::CacheInfo>> EngineControl::sizeCache(protocol::CacheSizeSet request) {
  const auto resize = [this, bytes = request.bytes] { return m_parts.store.cache().setCacheBytes(bytes); };
  const auto resized = co_await onPool(m_parts.workers, resize);
  if (!resized) co_return fail(resized.error());
  m_parts.cacheChanged();
  co_return m_parts.cacheReport.info();
}

Task<Result<protocol::CacheFlushed>> EngineControl::flushCache(protocol::CacheFlush request) {
  if (m_parts.store.health().isReadOnly()) co_return fail(ErrorCode::ReadOnly, "the store is read-only: " + m_parts.store.health().reason());
  const auto flushed = co_await m_parts.store.vstorages().flush(std::move(request.vstorage));
  if (!flushed) co_return fail(flushed.error());
  co_return protocol::CacheFlushed{.bytes = *flushed};
}

Task<Result<protocol::Policy>> EngineControl::showPolicy(protocol::VstorageRequest request) {
  co_return m_parts.store.vstorages().policy(request.name);
}

Task<Result<protocol::Policy>> EngineControl::setPolicy(protocol::PolicySet request) {
  const std::string name = request.name;
  auto changed = co_await m_parts.store.vstorages().setPolicy(std::move(request));
  if (changed) {
    m_parts.events.add(protocol::Severity::Info, "vstorage " + name, "dedup policy changed");
    m_parts.vstoragesChanged();
  }
  co_return changed;
}

Task<Result<protocol::JobInfo>> EngineControl::startJob(protocol::JobStart request) {
  if (request.type != protocol::JobType::Optimize)
    co_return fail(ErrorCode::NotSupported, "the job type '" + std::string(protocol::name(request.type)) + "' is not in this version; it knows 'optimize'");
  if (m_parts.store.health().isReadOnly())
    co_return fail(ErrorCode::ReadOnly, "the store is read-only (" + m_parts.store.health().reason() + "); restart the engine once the disk is well again");
  // What the request names must exist now: a typing error is answered at once, not by a failed job. Other consoles do not wait for the listing.
  auto list = [&files = m_parts.files, selection = dedup::Selection{.vstorage = request.vstorage, .vm = request.vm, .path = request.path}] {
    return files.list(selection);
  };
  const auto files = co_await onPool(m_parts.optimizer.workers, list);
  if (!files) co_return fail(files.error());
  auto job = std::make_unique<OptimizeJob>(m_parts.optimizer, request);
  co_return m_parts.jobs.submit(request, std::move(job));
}

Task<Result<std::vector<protocol::JobInfo>>> EngineControl::listJobs() { co_return m_parts.jobs.list(); }
Task<Result<protocol::JobInfo>> EngineControl::showJob(protocol::JobRequest request) { co_return m_parts.jobs.show(request.id); }
Task<Result<protocol::JobInfo>> EngineControl::cancelJob(protocol::JobRequest request) { co_return m_parts.jobs.cancel(request.id); }

double EngineControl::rate(const std::string& id) const {
  const double value = m_parts.sampler.latestValue(id);
  return std::isnan(value) ? 0 : value;
}

void EngineControl::addRates(protocol::VmInfo& vm) const {
  const std::string prefix = "vm/" + vm.vstorage + "/" + vm.name + "/";
  vm.readIops = rate(prefix + "read/iops");
  vm.writeIops = rate(prefix + "write/iops");
  vm.readBytesPerSecond = rate(prefix + "read/bytes");
  vm.writeBytesPerSecond = rate(prefix + "write/bytes");
  vm.readLatencyUs = rate(prefix + "read/latency");
  vm.writeLatencyUs = rate(prefix + "write/latency");
  vm.readLatencyP99Us = rate(prefix + "read/latency-p99");
  vm.writeLatencyP99Us = rate(prefix + "write/latency-p99");
  if (const double ratio = m_parts.sampler.latestValue(prefix + "read/hit-ratio"); !std::isnan(ratio)) vm.hitRatio = ratio;
  const double iops = vm.readIops + vm.writeIops;
  vm.ioBytes = iops > 0 ? (vm.readBytesPerSecond + vm.writeBytesPerSecond) / iops : 0;
}

Task<Result<std::vector<protocol::VmInfo>>> EngineControl::listVms(protocol::VmList request) {
  auto vms = co_await m_parts.store.vmReports().list(std::move(request.vstorage));
  if (vms)
    for (protocol::VmInfo& vm : *vms) addRates(vm);
  co_return vms;
}

Task<Result<protocol::VmDetail>> EngineControl::showVm(protocol::VmShow request) {
  auto detail = co_await m_parts.store.vmReports().show(std::move(request));
  if (detail) addRates(detail->vm);
  co_return detail;
}

Task<Result<std::vector<protocol::Event>>> EngineControl::listEvents() { co_return m_parts.events.list(); }
Task<Result<std::vector<protocol::StatDescription>>> EngineControl::describeStats() { co_return m_parts.registry.describe(); }
Task<Result<protocol::StatSample>> EngineControl::showStats(protocol::StatSubscribe request) { co_return m_parts.sampler.latest(request.prefixes); }
Task<Result<std::vector<protocol::StatSeries>>> EngineControl::statHistory(protocol::StatHistoryRequest request) {
  co_return m_parts.sampler.history(request);
}

}  // namespace quarry
