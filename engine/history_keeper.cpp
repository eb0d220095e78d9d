// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/history_keeper.h"

#include "engine/base/log.h"

namespace quarry {

namespace {
constexpr const char* ringName = "statistics";
}

void HistoryKeeper::load() {
  const auto blob = m_history.loadRing(ringName);
  if (!blob) return log("stats").warn("the history of statistics cannot be read: {}", blob.error().message);
  if (!*blob) return;
  if (auto imported = m_sampler.importHistory(**blob); !imported) log("stats").warn("the history of statistics starts anew: {}", imported.error().message);
}

Task<void> HistoryKeeper::run() {
  const std::chrono::steady_clock::duration each = period;
  for (;;) {
    const bool goesOn = co_await m_ticker.wait(each);
    if (!goesOn) co_return;
    co_await save();
  }
}

Task<void> HistoryKeeper::save() {
  auto blob = m_sampler.exportHistory();
  auto saved = co_await m_history.saveRing(ringName, std::move(blob));
  if (!saved) log("stats").warn("the history of statistics cannot be saved: {}", saved.error().message);
}

}  // namespace quarry
