// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine.h"

#include <QPromise>
#include <algorithm>
#include <limits>
#include <utility>

#include "app/models/stat_history.h"
#include "tests/support/demo_data.h"

namespace quarry::test {

using namespace protocol;

FakeEngine::FakeEngine(QObject* parent) : EngineApi(parent), m_connectionText(QStringLiteral("this machine")) {
  connect(&m_liveTimer, &QTimer::timeout, this, &FakeEngine::sendSample);
}

void FakeEngine::loadDemo(uint32_t seed) {
  DemoData data = makeDemoData(seed);
  m_seed = seed;
  engineStatus = std::move(data.status);
  vstorages = std::move(data.vstorages);
  vms = std::move(data.vms);
  jobs = std::move(data.jobs);
  events = std::move(data.events);
  descriptions = std::move(data.descriptions);
  cache = std::move(data.cache);
  advice = std::move(data.advice);
}

void FakeEngine::failNext(ErrorCode code, const std::string& message) { m_failures.push_back({code, message}); }

void FakeEngine::setConnection(Connection connection, const QString& text) {
  m_connection = connection;
  m_connectionText = text.isEmpty() ? QStringLiteral("this machine") : text;
  Q_EMIT connectionChanged(connection);
}

void FakeEngine::holdReplies() { m_holding = true; }

void FakeEngine::releaseReplies() {
  m_holding = false;
  for (auto& send : std::exchange(m_held, {})) deliver(std::move(send));
}

void FakeEngine::startLiveSamples(int intervalMs) { m_liveTimer.start(intervalMs); }

void FakeEngine::stopLiveSamples() { m_liveTimer.stop(); }

void FakeEngine::sendSample() {
  m_nowUnixMs += 1000;
  if (m_connection != Connection::Connected) return;
  StatSample sample{.unixMs = m_nowUnixMs, .values = {}};
  for (const StatDescription& description : descriptions)
    if (isSubscribed(description.id)) sample.values[description.id] = demoValue(description.id, m_nowUnixMs, m_seed);
  Q_EMIT statSample(sample);
}

void FakeEngine::sendJob(const JobInfo& job) {
  const auto known = std::find_if(jobs.begin(), jobs.end(), [&](const JobInfo& one) { return one.id == job.id; });
  if (known == jobs.end())
    jobs.push_back(job);
  else
    *known = job;
  Q_EMIT jobChanged(job);
}

void FakeEngine::advanceJobs(double share) {
  for (JobInfo job : std::vector<JobInfo>(jobs)) {
    if (job.state != JobState::Running) continue;
    job.bytesDone = std::min(job.bytesTotal, job.bytesDone + static_cast<uint64_t>(static_cast<double>(job.bytesTotal) * share));
    job.secondsTaken += 1;
    if (job.bytesDone == job.bytesTotal) job.state = JobState::Done;
    sendJob(job);
  }
}

void FakeEngine::sendEvent(const Event& event) {
  events.push_back(event);
  Q_EMIT eventAdded(event);
}

void FakeEngine::sendVstoragesChanged() { Q_EMIT vstoragesChanged(); }

void FakeEngine::sendCacheChanged() { Q_EMIT cacheChanged(); }

void FakeEngine::deliver(std::function<void()> send) {
  if (m_holding)
    m_held.push_back(std::move(send));
  else
    QTimer::singleShot(0, this, std::move(send));
}

// The answer is made when it is delivered, as the real engine's is; whether it fails is decided when it is asked.
template <class T>
Reply<T> FakeEngine::answer(const QString& method, std::function<Result<T>()> make) {
  m_calls << method;
  std::optional<Error> failure;
  if (m_connection != Connection::Connected) {
    failure = Error{ErrorCode::Disconnected, m_connectionText.toStdString()};
  } else if (!m_failures.empty()) {
    failure = m_failures.front();
    m_failures.pop_front();
  }
  auto promise = std::make_shared<QPromise<Result<T>>>();
  promise->start();
  deliver([promise, failure, make = std::move(make)] {
    promise->addResult(failure ? Result<T>(fail(*failure)) : make());
    promise->finish();
  });
  return promise->future();
}

Reply<EngineStatus> FakeEngine::status() {
  return answer<EngineStatus>(QStringLiteral("status.show"), [this] { return engineStatus; });
}

Reply<std::vector<VstorageInfo>> FakeEngine::listVstorages() {
  return answer<std::vector<VstorageInfo>>(QStringLiteral("vstorage.list"), [this] { return vstorages; });
}

Reply<VstorageInfo> FakeEngine::createVstorage(const VstorageCreate& request) {
  return answer<VstorageInfo>(QStringLiteral("vstorage.create"), [this, request]() -> Result<VstorageInfo> {
    if (findVstorage(request.name) != nullptr) return fail(ErrorCode::Exists, "vstorage " + request.name + " exists already");
    VstorageInfo created;
    created.name = request.name;
    created.writeMode = request.writeMode;
    created.clients = request.clients;
    created.squash = request.squash;
    created.readOnly = request.readOnly;
    created.quotaBytes = request.quotaBytes;
    vstorages.push_back(created);
    Q_EMIT vstoragesChanged();
    return created;
  });
}

Reply<VstorageInfo> FakeEngine::setVstorage(const VstorageSet& request) {
  return answer<VstorageInfo>(QStringLiteral("vstorage.set"), [this, request]() -> Result<VstorageInfo> {
    VstorageInfo* vstorage = findVstorage(request.name);
    if (vstorage == nullptr) return fail(ErrorCode::NotFound, "no vstorage " + request.name);
    vstorage->writeMode = request.writeMode.value_or(vstorage->writeMode);
    vstorage->clients = request.clients.value_or(vstorage->clients);
    vstorage->squash = request.squash.value_or(vstorage->squash);
    vstorage->readOnly = request.readOnly.value_or(vstorage->readOnly);
    vstorage->quotaBytes = request.quotaBytes.value_or(vstorage->quotaBytes);
    const VstorageInfo changed = *vstorage;
    Q_EMIT vstoragesChanged();
    return changed;
  });
}

Reply<> FakeEngine::removeVstorage(const VstorageRemove& request) {
  return answer<void>(QStringLiteral("vstorage.remove"), [this, request]() -> Result<> {
    const VstorageInfo* vstorage = findVstorage(request.name);
    if (vstorage == nullptr) return fail(ErrorCode::NotFound, "no vstorage " + request.name);
    if (vstorage->fileCount > 0 && !request.force) return fail(ErrorCode::NotEmpty, "vstorage " + request.name + " holds files");
    std::erase_if(vstorages, [&](const VstorageInfo& one) { return one.name == request.name; });
    std::erase_if(vms, [&](const VmInfo& one) { return one.vstorage == request.name; });
    Q_EMIT vstoragesChanged();
    return {};
  });
}

Reply<Policy> FakeEngine::setPolicy(const PolicySet& request) {
  return answer<Policy>(QStringLiteral("policy.set"), [this, request]() -> Result<Policy> {
    VstorageInfo* vstorage = findVstorage(request.name);
    if (vstorage == nullptr) return fail(ErrorCode::NotFound, "no vstorage " + request.name);
    Policy& policy = vstorage->policy;
    policy.minAgeSeconds = request.minAgeSeconds.value_or(policy.minAgeSeconds);
    policy.minSizeBytes = request.minSizeBytes.value_or(policy.minSizeBytes);
    policy.exclude = request.exclude.value_or(policy.exclude);
    policy.level = request.level.value_or(policy.level);
    const Policy changed = policy;
    Q_EMIT vstoragesChanged();
    return changed;
  });
}

Reply<JobInfo> FakeEngine::startJob(const JobStart& request) {
  return answer<JobInfo>(QStringLiteral("job.start"), [this, request]() -> Result<JobInfo> {
    for (const JobInfo& job : jobs) m_lastJobId = std::max(m_lastJobId, job.id);
    JobInfo job;
    job.id = ++m_lastJobId;
    job.type = request.type;
    job.state = JobState::Running;
    job.vstorage = request.vstorage;
    job.vm = request.vm;
    job.path = request.path;
    job.bytesTotal = 1ull << 30;
    sendJob(job);
    return job;
  });
}

Reply<std::vector<JobInfo>> FakeEngine::listJobs() {
  return answer<std::vector<JobInfo>>(QStringLiteral("job.list"), [this] { return jobs; });
}

Reply<JobInfo> FakeEngine::cancelJob(int64_t id) {
  return answer<JobInfo>(QStringLiteral("job.cancel"), [this, id]() -> Result<JobInfo> {
    const auto known = std::find_if(jobs.begin(), jobs.end(), [&](const JobInfo& one) { return one.id == id; });
    if (known == jobs.end()) return fail(ErrorCode::NotFound, "no job " + std::to_string(id));
    JobInfo job = *known;
    job.state = JobState::Cancelled;
    sendJob(job);
    return job;
  });
}

Reply<std::vector<VmInfo>> FakeEngine::listVms() {
  return answer<std::vector<VmInfo>>(QStringLiteral("vm.list"), [this] { return vms; });
}

Reply<VmDetail> FakeEngine::showVm(const QString& vstorage, const QString& name) {
  return answer<VmDetail>(QStringLiteral("vm.show"), [this, vstorage = vstorage.toStdString(), name = name.toStdString()]() -> Result<VmDetail> {
    const auto known = std::find_if(vms.begin(), vms.end(), [&](const VmInfo& one) { return one.vstorage == vstorage && one.name == name; });
    if (known == vms.end()) return fail(ErrorCode::NotFound, "no VM " + name + " in " + vstorage);
    VmDetail detail{.vm = *known, .files = {}};
    detail.files.push_back({.path = name + "/" + name + ".vmx", .fileid = 101, .savings = demoSavings(4096, 0, 0, 0, 1), .modifiedAt = known->lastWriteAt});
    detail.files.push_back({.path = name + "/" + name + "-flat.vmdk", .fileid = 102, .savings = known->savings, .modifiedAt = known->lastWriteAt});
    return detail;
  });
}

CacheInfo FakeEngine::cacheNow() const {
  CacheInfo now = cache;
  now.vstorages.clear();
  for (const VstorageInfo& vstorage : vstorages) {
    const auto known = std::find_if(cache.vstorages.begin(), cache.vstorages.end(), [&](const auto& one) { return one.name == vstorage.name; });
    CacheVstorage& row = now.vstorages.emplace_back(known == cache.vstorages.end() ? CacheVstorage{} : *known);
    row.name = vstorage.name;
    row.writeMode = vstorage.writeMode;
  }
  return now;
}

Reply<CacheInfo> FakeEngine::showCache() {
  return answer<CacheInfo>(QStringLiteral("cache.show"), [this] { return cacheNow(); });
}

Reply<CacheInfo> FakeEngine::setCacheSize(uint64_t bytes) {
  return answer<CacheInfo>(QStringLiteral("cache.size"), [this, bytes]() -> Result<CacheInfo> {
    if (bytes < cache.budgetBytesMin || bytes > cache.budgetBytesMax) return fail(ErrorCode::InvalidArgument, "the machine has not that much memory");
    cache.budgetBytes = bytes;
    Q_EMIT cacheChanged();
    return cacheNow();
  });
}

Reply<CacheAdvice> FakeEngine::adviseCache() {
  return answer<CacheAdvice>(QStringLiteral("cache.advice"), [this] { return advice; });
}

Reply<CacheFlushed> FakeEngine::flushCache(const QString& vstorage) {
  return answer<CacheFlushed>(QStringLiteral("cache.flush"), [this, name = vstorage.toStdString()]() -> Result<CacheFlushed> {
    if (!name.empty() && findVstorage(name) == nullptr) return fail(ErrorCode::NotFound, "no vstorage " + name);
    const CacheFlushed flushed{.bytes = cache.dirtyBytes};
    cache.usedBytes -= cache.dirtyBytes;
    cache.dirtyBytes = cache.unprotectedBytes = cache.oldestDirtySeconds = cache.oldestUnprotectedSeconds = 0;
    for (CacheVstorage& row : cache.vstorages) row.dirtyBytes = row.unprotectedBytes = row.oldestUnprotectedSeconds = 0;
    return flushed;
  });
}

Reply<std::vector<Event>> FakeEngine::listEvents() {
  return answer<std::vector<Event>>(QStringLiteral("event.list"), [this] { return events; });
}

Reply<std::vector<StatDescription>> FakeEngine::describeStats() {
  return answer<std::vector<StatDescription>>(QStringLiteral("stats.describe"), [this] { return descriptions; });
}

// One tenth of the span, from its start on, was not sampled: charts have a gap to show.
Reply<std::vector<StatSeries>> FakeEngine::statHistory(const StatHistoryRequest& request) {
  return answer<std::vector<StatSeries>>(QStringLiteral("stats.history"), [this, request] {
    using Span = StatHistory::Span;
    StatSpan shape = StatHistory::shape(Span::FiveMinutes);
    for (const Span span : {Span::FiveMinutes, Span::Hour, Span::Day, Span::Month})
      if (StatHistory::seconds(span) == request.spanSeconds) shape = StatHistory::shape(span);
    std::vector<StatSeries> all;
    for (const std::string& id : request.ids) {
      const int64_t first = (m_nowUnixMs / shape.stepMs - static_cast<int64_t>(shape.sampleCount) + 1) * shape.stepMs;
      StatSeries series{.id = id, .firstUnixMs = first, .stepMs = static_cast<uint64_t>(shape.stepMs), .values = {}};
      for (size_t i = 0; i < shape.sampleCount; ++i) {
        const bool isGap = i < shape.sampleCount / 10;
        const int64_t at = first + static_cast<int64_t>(i) * shape.stepMs;
        series.values.push_back(isGap ? std::numeric_limits<double>::quiet_NaN() : demoValue(id, at, m_seed));
      }
      all.push_back(std::move(series));
    }
    return all;
  });
}

void FakeEngine::subscribeStats(const QStringList& prefixes) { m_subscribed = prefixes; }

VstorageInfo* FakeEngine::findVstorage(const std::string& name) {
  const auto known = std::find_if(vstorages.begin(), vstorages.end(), [&](const VstorageInfo& one) { return one.name == name; });
  return known == vstorages.end() ? nullptr : &*known;
}

bool FakeEngine::isSubscribed(const std::string& id) const {
  return std::any_of(m_subscribed.begin(), m_subscribed.end(), [&](const QString& prefix) { return id.starts_with(prefix.toStdString()); });
}

}  // namespace quarry::test
