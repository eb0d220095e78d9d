// SPDX-License-Identifier: GPL-3.0-or-later
// Once a second: reads every registered number (counters become rates, histograms the mean and 99th percentile of the second), keeps the
// latest values and the history of ids under "engine/" and "vstorage/", and hands the sample to a listener.
//
// Threads: tick() and run() from one executor, everything else from any thread. The registry, the clock and this outlive run()'s coroutine.
// A tick that comes late covers the time that really passed.
#pragma once

#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/protocol/stat_messages.h"
#include "engine/stats/history_rings.h"
#include "engine/stats/stat_registry.h"

namespace quarry {

// True when the id starts with one of the prefixes, or there are none.
bool matchesPrefixes(std::string_view id, const std::vector<std::string>& prefixes);

class Sampler {
 public:
  using Listener = std::function<void(const protocol::StatSample&)>;  // on run()'s executor; must not wait

  Sampler(StatRegistry& registry, const Clock& clock, Listener listener = {});

  // Ticks once a second until stop(). Once per object.
  Task<void> run();
  void stop();
  void tick();

  protocol::StatSample latest(const std::vector<std::string>& prefixes) const;  // no prefixes: all
  double latestValue(const std::string& id) const;                             // NaN when there is none
  // One series per id, in order, ending now.
  Result<std::vector<protocol::StatSeries>> history(const protocol::StatHistoryRequest& request) const;

  std::vector<std::byte> exportHistory() const;
  Result<void> importHistory(Bytes blob);  // before run(); on failure the history stays as it was

 private:
  StatRegistry& m_registry;
  const Clock& m_clock;
  const Listener m_listener;
  std::chrono::steady_clock::time_point m_lastTick;

  mutable Mutex m_mutex;
  protocol::StatSample m_latest GUARDED_BY(m_mutex);
  HistoryRings m_history GUARDED_BY(m_mutex);
  std::weak_ptr<asio::steady_timer> m_timer GUARDED_BY(m_mutex);  // the coroutine's: it must not outlive its executor
  bool m_stopped GUARDED_BY(m_mutex) = false;
};

}  // namespace quarry
