// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/event_log.h"


#include "engine/base/iso_time.h"
#include "engine/base/log.h"
#include "engine/base/spawn.h"
#include "engine/protocol/codec.h"

namespace quarry {

namespace {
LogLevel logLevel(protocol::Severity severity) {
  switch (severity) {
    case protocol::Severity::Info: return LogLevel::Info;
    case protocol::Severity::Warning: return LogLevel::Warning;
    case protocol::Severity::Error: return LogLevel::Error;
  }
  return LogLevel::Error;
}
}  // namespace

EventLog::EventLog(metadata::HistoryTable& history, const Clock& clock, asio::any_io_executor executor, Listener listener)
    : m_history(history), m_clock(clock), m_executor(std::move(executor)), m_listener(std::move(listener)) {}

void EventLog::add(protocol::Severity severity, std::string subject, std::string text) {
  log("events").write(logLevel(severity), "{}: {}", fmt::make_format_args(subject, text));
  protocol::Event event{.id = 0, .at = isoTime(m_clock.now()), .severity = severity, .subject = std::move(subject), .text = std::move(text)};
  spawn(m_executor, save(*this, std::move(event)));
}

Task<void> EventLog::save(EventLog& self, protocol::Event event) {
  const auto id = co_await self.m_history.appendEvent(protocol::toJson(event));
  if (id)
    event.id = *id;
  else
    log("events").warn("an event cannot be saved: {}", id.error().message);
  self.m_listener(event);
}

Result<std::vector<protocol::Event>> EventLog::list() const {
  const auto records = m_history.events(listedMax);
  if (!records) return fail(records.error());
  std::vector<protocol::Event> events;
  for (const metadata::HistoryRecord& record : *records) {
    auto event = protocol::fromJson<protocol::Event>(record.record);
    if (!event) continue;  // written by another version
    event->id = record.id;
    events.push_back(std::move(*event));
  }
  return events;
}

}  // namespace quarry
