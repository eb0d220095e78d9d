// SPDX-License-Identifier: GPL-3.0-or-later
// Carries the statistics' history over restarts: loads it at start, saves it to history.db every few minutes and at the end.
// Threads: load() before run(); run() once, on one executor; stop() from any thread. References outlive run()'s coroutine.
// Failure: logged; losing history loses no data.
#pragma once

#include <chrono>

#include "engine/base/async.h"
#include "engine/metadata/history_table.h"
#include "engine/stats/sampler.h"
#include "engine/ticker.h"

namespace quarry {

class HistoryKeeper {
 public:
  static constexpr std::chrono::minutes period{5};

  HistoryKeeper(Sampler& sampler, metadata::HistoryTable& history) : m_sampler(sampler), m_history(history) {}
  void load();
  Task<void> run();   // until stop()
  Task<void> save();
  void stop() { m_ticker.stop(); }

 private:
  Sampler& m_sampler;
  metadata::HistoryTable& m_history;
  Ticker m_ticker;
};

}  // namespace quarry
