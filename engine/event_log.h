// SPDX-License-Identifier: GPL-3.0-or-later
// What happened that an administrator may want to know, kept in history.db and told to the consoles as it happens.
// Safe from any thread; never waits. Failure: an event that cannot be saved is still told and logged.
#pragma once

#include <asio/any_io_executor.hpp>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/metadata/history_table.h"
#include "engine/protocol/messages.h"

namespace quarry {

class EventLog {
 public:
  static constexpr size_t listedMax = 1000;
  using Listener = std::function<void(const protocol::Event&)>;  // on `executor`; must not wait

  EventLog(metadata::HistoryTable& history, const Clock& clock, asio::any_io_executor executor, Listener listener);
  void add(protocol::Severity severity, std::string subject, std::string text);
  Result<std::vector<protocol::Event>> list() const;  // newest first, at most listedMax

 private:
  static Task<void> save(EventLog& log, protocol::Event event);

  metadata::HistoryTable& m_history;
  const Clock& m_clock;
  const asio::any_io_executor m_executor;
  const Listener m_listener;
};

}  // namespace quarry
