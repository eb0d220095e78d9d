// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <map>
#include <memory>

#include "app/quarryctl/amount.h"
#include "app/quarryctl/commands.h"
#include "app/quarryctl/interrupt.h"
#include "app/quarryctl/table.h"
#include "engine/base/iso_time.h"

namespace quarry::ctl {
namespace {

using protocol::StatSample;
using protocol::Unit;
using Units = std::map<std::string, Unit>;

constexpr std::chrono::seconds sampleTimeout{30};

struct StatsOptions {
  std::vector<std::string> prefixes;
  int64_t sampleCount = 0;  // 0: until Ctrl-C
};

std::string valueText(double value, Unit unit) {
  switch (unit) {
    case Unit::Count:
    case Unit::PerSecond: return countText(value);
    case Unit::Bytes: return std::isfinite(value) && value >= 0 ? sizeText(static_cast<uint64_t>(value)) : "-";
    case Unit::BytesPerSecond: return rateText(value);
    case Unit::Microseconds: return microsecondsText(value);
    case Unit::Seconds: return std::isfinite(value) && value >= 0 ? ageText(static_cast<uint64_t>(value)) : "-";
    case Unit::Ratio: return percentText(value);
  }
  return countText(value);
}

std::string sampleText(const StatSample& sample, const Units& units) {
  Table table({{isoTime({sample.unixMs * 1'000'000})}, {"VALUE", Table::Align::Right}});
  for (const auto& [id, value] : sample.values) {
    const auto unit = units.find(id);
    table.add({id, valueText(value, unit == units.end() ? Unit::Count : unit->second)});
  }
  return table.text();
}

Result<Units> describeUnits(Session& session) {
  const Result<std::string> reply = session.call("stats.describe", "null");
  if (!reply) return fail(reply.error());
  const auto descriptions = protocol::fromJson<std::vector<protocol::StatDescription>>(*reply);
  if (!descriptions) return fail(descriptions.error());
  Units units;
  for (const auto& description : *descriptions) units.emplace(description.id, description.unit);
  return units;
}

void show(Session& session, const StatsOptions& options) {
  const std::string params = toJson(protocol::StatSubscribe{options.prefixes});
  if (session.json) return session.show<StatSample>("stats.show", params, [](const StatSample&) { return std::string(); });
  const Result<Units> units = describeUnits(session);
  if (!units) return session.refuse(units.error());
  session.show<StatSample>("stats.show", params, [&units](const StatSample& sample) { return sampleText(sample, *units); });
}

void printSample(const Session& session, const protocol::RpcMessage& message, const Units& units) {
  if (session.json) return session.printJson(message.params);
  const Result<StatSample> sample = protocol::fromJson<StatSample>(message.params);
  if (!sample) return;
  if (::isatty(STDOUT_FILENO) == 1) Session::print("\033[H\033[2J");
  Session::print(sampleText(*sample, units));
}

void watch(Session& session, const StatsOptions& options) {
  const Interrupt interrupt;
  const Result<Units> units = describeUnits(session);
  if (!units) return session.refuse(units.error());
  const std::vector<std::string> prefixes = options.prefixes.empty() ? std::vector<std::string>{""} : options.prefixes;
  const Result<std::string> subscribed = session.call("stats.subscribe", toJson(protocol::StatSubscribe{prefixes}));
  if (!subscribed) return session.refuse(subscribed.error());
  for (int64_t seen = 0; !interrupt.seen() && (options.sampleCount == 0 || seen < options.sampleCount);) {
    const Result<protocol::RpcMessage> message = session.client().nextNotification(sampleTimeout);
    if (!message && message.error().code == ErrorCode::Cancelled) return;
    if (!message) return session.refuse(message.error());
    if (message->method != "stats.sample") continue;
    printSample(session, *message, *units);
    std::fflush(stdout);
    ++seen;
  }
}

}  // namespace

void addStatsCommand(CLI::App& app, Session& session) {
  CLI::App* noun = addNoun(app, "stats", "What the engine does right now");
  const auto options = std::make_shared<StatsOptions>();
  CLI::App* showVerb = addVerb(*noun, "show", "The latest values");
  showVerb->add_option("PREFIX", options->prefixes, "Only ids that start so, such as engine/ or vstorage/NAME/");
  showVerb->callback([options, &session] { show(session, *options); });
  CLI::App* watchVerb = addVerb(*noun, "watch", "The values every second until Ctrl-C; with --json one document a line");
  watchVerb->add_option("PREFIX", options->prefixes, "Only ids that start so, such as engine/ or vstorage/NAME/");
  watchVerb->add_option("--count", options->sampleCount, "End after so many samples")->check(CLI::PositiveNumber);
  watchVerb->callback([options, &session] { watch(session, *options); });
}

}  // namespace quarry::ctl
