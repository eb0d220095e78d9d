// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache_report.h"

#include <cmath>
#include <optional>
#include <set>

#include "engine/cache/cache_budget.h"
#include "engine/os/heap.h"
#include "engine/vstorage/exported_vstorage.h"

namespace quarry {

namespace {
constexpr size_t minuteSamples = 61;
constexpr size_t curvePoints = 128;
constexpr std::chrono::seconds period{1};
constexpr uint64_t trimSeconds = 5;

uint64_t bytesOf(const std::atomic<uint64_t>& blocks) { return blocks.load(std::memory_order_relaxed) * blockBytes; }

std::optional<double> share(uint64_t part, uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> absorbedRatio(const cache::CacheAccount& account) { return share(account.absorbedBlocks.load(), account.writtenBlocks.load()); }

uint64_t secondsSince(std::optional<cache::SteadyTime> then, cache::SteadyTime now) {
  if (!then || *then > now) return 0;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now - *then).count());
}
}  // namespace

void CacheReport::Window::add(const cache::CacheAccount& account) {
  samples.push_back({account.readHits.load(std::memory_order_relaxed), account.readMisses.load(std::memory_order_relaxed)});
  if (samples.size() > minuteSamples) samples.pop_front();
}

CacheReport::Reads CacheReport::Window::minute() const {
  if (samples.empty()) return {};
  return {samples.back().hits - samples.front().hits, samples.back().misses - samples.front().misses};
}

double CacheReport::Window::seconds() const { return samples.size() < 2 ? 1 : static_cast<double>(samples.size() - 1); }

CacheReport::CacheReport(StatRegistry& registry, StoreCache& cache, VstorageTable& vstorages, const Clock& clock)
    : m_cache(cache), m_vstorages(vstorages), m_clock(clock) {
  declare(registry);
}

void CacheReport::declare(StatRegistry& registry) {
  std::vector<StatDeclaration> group;
  const auto add = [&group](const char* id, protocol::Unit unit, const char* text, double maximum, auto value) {
    group.push_back({{id, unit, text, maximum}, [value](double) { return static_cast<double>(value()); }});
  };
  const auto addRate = [&group](const char* id, protocol::Unit unit, const char* text, auto value) {
    group.push_back({{id, unit, text, 0}, [value, before = double{0}](double seconds) mutable {
                       const double now = static_cast<double>(value()), rate = seconds > 0 ? (now - before) / seconds : 0;
                       before = now;
                       return rate;
                     }});
  };
  using protocol::Unit;
  cache::Caches& caches = m_cache.caches();
  const cache::CacheAccount& account = caches.write().engineAccount();
  add("cache/hit_ratio", Unit::Ratio, "Share of the blocks read that were in RAM, over the last minute.", 1, [this] { return m_gauges.hitRatio.load(); });
  add("cache/read/bytes", Unit::Bytes, "Clean blocks kept for reads.", 0, [&caches] { return caches.read().figures().bytes; });
  addRate("cache/read/evictions", Unit::PerSecond, "Clean blocks dropped for room.", [&caches] { return caches.read().figures().evictions; });
  add("cache/write/dirty", Unit::Bytes, "Written blocks that are not in landing files yet; at the limit clients are slowed down.",
      static_cast<double>(caches.write().dirtyBytesMax()), [&account] { return bytesOf(account.dirtyBlocks); });
  add("cache/write/unprotected", Unit::Bytes, "Acknowledged writes that a power cut would lose.", 0, [&account] { return bytesOf(account.unprotectedBlocks); });
  add("cache/write/oldest_unprotected", Unit::Seconds, "Age of the oldest of them.", 0, [this] { return m_gauges.oldestUnprotected.load(); });
  addRate("cache/write/absorbed", Unit::BytesPerSecond, "Writes that were overwritten in RAM before they went to the disk.",
          [&account] { return bytesOf(account.absorbedBlocks); });
  journal::Journal& journal = m_cache.journal();
  add("journal/used", Unit::Bytes, "Journal space that holds writes not in landing files yet.", static_cast<double>(journal.figures().areaBytes),
      [&journal] { return journal.figures().usedBytes; });
  m_registration = registry.add(std::move(group));
}

Task<void> CacheReport::run() {
  const std::chrono::steady_clock::duration each = period;
  for (uint64_t second = 1;; ++second) {
    sample();
    if (second % trimSeconds == 0) os::trimHeap();
    const bool goesOn = co_await m_ticker.wait(each);
    if (!goesOn) co_return;
  }
}

void CacheReport::sample() {
  const auto oldest = m_cache.caches().write().oldest();
  m_gauges.oldestUnprotected = static_cast<double>(secondsSince(oldest.unprotected, m_clock.steady()));
  std::set<metadata::VstorageId> present;
  const auto exported = m_vstorages.exported();
  const Lock lock(m_mutex);
  m_engine.add(m_cache.caches().write().engineAccount());
  const Reads minute = m_engine.minute();
  m_gauges.hitRatio = share(minute.hits, minute.hits + minute.misses).value_or(0);
  for (const auto& vstorage : exported) {
    present.insert(vstorage->id());
    m_byVstorage[vstorage->id()].add(vstorage->account());
  }
  std::erase_if(m_byVstorage, [&present](const auto& entry) { return !present.contains(entry.first); });
}

protocol::CacheVstorage CacheReport::describe(ExportedVstorage& vstorage, const cache::WriteCache::Oldest& oldest) {
  const cache::CacheAccount& account = vstorage.account();
  const Reads minute = m_byVstorage[vstorage.id()].minute();
  const auto since = oldest.unprotectedOf.find(&account);
  return {.name = vstorage.name(),
          .writeMode = vstorage.settings().writeMode,
          .hitRatio = share(minute.hits, minute.hits + minute.misses),
          .dirtyBytes = bytesOf(account.dirtyBlocks),
          .unprotectedBytes = bytesOf(account.unprotectedBlocks),
          .oldestUnprotectedSeconds = since == oldest.unprotectedOf.end() ? 0 : secondsSince(since->second, m_clock.steady()),
          .absorbedRatio = absorbedRatio(account)};
}

protocol::CacheInfo CacheReport::info() {
  cache::Caches& caches = m_cache.caches();
  const auto now = m_clock.steady();
  const auto oldest = caches.write().oldest();
  const cache::CacheAccount& account = caches.write().engineAccount();
  const auto journal = m_cache.journal().figures();
  const auto limits = cache::cacheLimits();
  protocol::CacheInfo info;
  info.budgetBytes = caches.budgetBytes();
  info.budgetBytesMin = limits.bytesMin;
  info.budgetBytesMax = limits.bytesMax;
  info.machineBytes = limits.machineBytes;
  info.machineAvailableBytes = limits.availableBytes;
  info.usedBytes = caches.pool().usedBytes();
  info.residentBytes = cache::residentBytesOfProcess();
  info.readBytes = caches.read().figures().bytes;
  info.dirtyBytes = bytesOf(account.dirtyBlocks);
  info.dirtyBytesMax = caches.write().dirtyBytesMax();
  info.unprotectedBytes = bytesOf(account.unprotectedBlocks);
  info.oldestDirtySeconds = secondsSince(oldest.dirty, now);
  info.oldestUnprotectedSeconds = secondsSince(oldest.unprotected, now);
  info.journalBytes = journal.areaBytes;
  info.journalUsedBytes = journal.usedBytes;
  info.absorbedRatio = absorbedRatio(account);
  info.evictionCount = caches.read().figures().evictions;
  const auto exported = m_vstorages.exported();
  const Lock lock(m_mutex);
  const Reads minute = m_engine.minute();
  info.hitRatio = share(minute.hits, minute.hits + minute.misses);
  info.readsPerSecond = static_cast<double>(minute.hits + minute.misses) / m_engine.seconds();
  info.diskReadsPerSecond = static_cast<double>(minute.misses) / m_engine.seconds();
  for (const auto& vstorage : exported) info.vstorages.push_back(describe(*vstorage, oldest));
  return info;
}

protocol::CacheCurve CacheReport::curveOf(cache::CacheAccount& account, std::string name) const {
  protocol::CacheCurve curve{.vstorage = std::move(name), .accessCount = account.curve.accessCount(), .points = {}};
  for (const cache::CurvePoint& point : account.curve.curve(cache::cacheLimits().bytesMax, curvePoints)) curve.points.push_back({point.bytes, point.hitRatio});
  return curve;
}

protocol::CacheAdvice CacheReport::advice() {
  protocol::CacheAdvice advice;
  advice.curves.push_back(curveOf(m_cache.caches().write().engineAccount(), {}));
  for (const auto& vstorage : m_vstorages.exported()) advice.curves.push_back(curveOf(vstorage->account(), vstorage->name()));
  advice.budgetBytes = m_cache.caches().budgetBytes();
  const Lock lock(m_mutex);
  advice.diskReadsPerSecond = static_cast<double>(m_engine.minute().misses) / m_engine.seconds();
  return advice;
}

}  // namespace quarry
