// SPDX-License-Identifier: GPL-3.0-or-later
// What the RAM cache does, for people: its gauges (ids cache/… and journal/…), and the answers to cache.show and cache.advice. Looks once a
// second and remembers a minute.
//
// Threads: run() once, on one executor; the rest from any. References outlive run()'s coroutine and the object.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "engine/base/async.h"
#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/protocol/messages.h"
#include "engine/stats/stat_registry.h"
#include "engine/store_cache.h"
#include "engine/ticker.h"
#include "engine/vstorage/vstorage_table.h"

namespace quarry {

class CacheReport {
 public:
  CacheReport(StatRegistry& registry, StoreCache& cache, VstorageTable& vstorages, const Clock& clock);

  Task<void> run();  // until stop()
  void stop() { m_ticker.stop(); }

  protocol::CacheInfo info();
  protocol::CacheAdvice advice();

 private:
  struct Reads {
    uint64_t hits = 0, misses = 0;
  };
  // Since the oldest sample of the last minute.
  struct Window {
    std::deque<Reads> samples;
    void add(const cache::CacheAccount& account);
    Reads minute() const;
    double seconds() const;
  };
  struct Gauges {
    std::atomic<double> hitRatio = 0, oldestUnprotected = 0;
  };
  void sample();
  void declare(StatRegistry& registry);
  protocol::CacheCurve curveOf(cache::CacheAccount& account, std::string name) const;
  protocol::CacheVstorage describe(ExportedVstorage& vstorage, const cache::WriteCache::Oldest& oldest) REQUIRES(m_mutex);

  StoreCache& m_cache;
  VstorageTable& m_vstorages;
  const Clock& m_clock;
  Gauges m_gauges;
  Mutex m_mutex;
  Window m_engine GUARDED_BY(m_mutex);
  std::map<metadata::VstorageId, Window> m_byVstorage GUARDED_BY(m_mutex);
  Ticker m_ticker;
  StatRegistration m_registration;  // ends before what it reads
};

}  // namespace quarry
