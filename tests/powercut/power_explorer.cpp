// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/powercut/power_explorer.h"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>

#include "engine/base/log.h"
#include "tests/powercut/power_check.h"
#include "tests/support/sim_sqlite.h"

namespace quarry::test {

namespace {

constexpr size_t tailLines = 30;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

bool makesDurable(DiskEvent::Kind kind) {
  return kind == DiskEvent::Kind::Harden || kind == DiskEvent::Kind::Sync || kind == DiskEvent::Kind::SyncFolder;
}

}  // namespace

// The largest buffers of a job come from the kernel, zeroed as far as they are used: glibc would come to clear all of their 16 MiB each time.
// Everything else is kept for the next start.
void setUpPowerCuts() {
  mallopt(M_MMAP_THRESHOLD, 12 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  setUpLog("critical");
  useSimulatedSqlite();
}

std::string tail(const PowerRecording& recording, size_t eventCount, size_t linesMax) {
  std::string text;
  for (size_t i = eventCount - std::min(eventCount, linesMax); i < eventCount; ++i) {
    const DiskEvent& event = recording.log[i];
    const bool isMark = event.kind == DiskEvent::Kind::Mark;
    const char* what = event.offset % 2 ? "--- answered: " : "--- begins: ";
    text += fmt::format("  {:4} {}\n", i, isMark ? what + describe(recording.ops[event.offset / 2]) : describe(event));
  }
  return text;
}

const PowerStart& PowerExplorer::startOf(StartKind kind, protocol::WriteMode mode) {
  auto& start = m_starts[{kind, mode}];
  if (start.startNumber == 0) start = makeStart(kind, mode).value();
  return start;
}

Result<PowerModel> PowerExplorer::tryCut(PowerCursor& cursor, const PowerStart& start, const PowerRecording& recording, CutPlace place,
                                         const std::string& replay, SimMedium* left) {
  cursor.advanceTo(place.eventCount);
  std::mt19937_64 random(place.chance);
  const SimMedium medium = cursor.medium().afterCut(random, place.style);
  ++m_cutCount;
  Survivor survivor = checkSurvivor(medium, start.startNumber + 1, cursor.alternatives(), random);
  if (left) *left = medium;
  if (!survivor.fault) return std::move(survivor.model);
  return fail(ErrorCode::Corrupt, fmt::format("{}\n  cut after event {} ({}), under way: {}\n{}  to replay: {}", *survivor.fault, place.eventCount,
                                              styleNames[static_cast<size_t>(place.style)], cursor.underWay(),
                                              tail(recording, place.eventCount, tailLines), replay));
}

Result<void> PowerExplorer::runSeed(uint64_t seed) {
  ++m_runCount;
  const auto random = std::make_shared<std::mt19937_64>(seed);
  constexpr protocol::WriteMode modes[] = {protocol::WriteMode::Safe, protocol::WriteMode::Safe, protocol::WriteMode::Through, protocol::WriteMode::Ram};
  const auto kind = static_cast<StartKind>((*random)() % 3);
  PowerStart start = startOf(kind, modes[(*random)() % 4]);
  const size_t atOnce = (*random)() % 3 == 0 ? 3 : 1;
  const std::string replay = fmt::format("powercut --from {} --seeds 1{}", seed, atOnce > 1 ? "   (operations overlap: it may take several tries)" : "");
  for (size_t generation = 0; generation < m_options.generations; ++generation) {
    const bool isStopped = (*random)() % 8 == 0;
    const auto recording = record(start, randomOps(random, m_options.opCount), {.atOnce = atOnce, .isStopped = isStopped, .isSwept = (*random)() % 4 == 0});
    if (!recording) return fail(recording.error().code, recording.error().message + "\n  to replay: " + replay);
    if (m_options.isVerbose) std::fputs((fmt::format("generation {}\n", generation) + tail(*recording, recording->log.size(), SIZE_MAX)).c_str(), stdout);
    std::vector<size_t> places(m_options.cutsPerRecording);
    for (size_t& place : places) place = (*random)() % (recording->log.size() + 1);
    std::sort(places.begin(), places.end());
    PowerCursor cursor(start, *recording);
    PowerStart next;
    for (const size_t place : places) {
      const CutPlace cut{place, static_cast<CutStyle>((*random)() % 4), (*random)()};
      SimMedium left;
      auto survived = tryCut(cursor, start, *recording, cut, replay, &left);
      if (!survived) return fail(survived.error());
      if (next.startNumber == 0 || (*random)() % 2) next = {std::move(left), std::move(*survived), start.startNumber + 1};
    }
    start = std::move(next);
  }
  return {};
}

// What cannot differ from the place before is left out: losing everything is the same until something is made durable or answered, and
// making durable leaves only some of what could be there before.
std::vector<CutPlace> PowerExplorer::placesOf(const PowerRecording& recording, size_t eventCount) const {
  std::vector<CutPlace> places;
  const DiskEvent::Kind kind = recording.log[eventCount - 1].kind;
  if (makesDurable(kind) || kind == DiskEvent::Kind::Mark) {
    places.push_back({eventCount, CutStyle::LoseAll, eventCount});
    return places;
  }
  places.push_back({eventCount, CutStyle::KeepAll, eventCount});
  for (uint64_t i = 0; i < m_options.chancesPerPlace; ++i)
    places.push_back({eventCount, i % 2 ? CutStyle::Pages : CutStyle::Sectors, eventCount * 100 + i});
  return places;
}

Result<void> PowerExplorer::runWorkload(const std::vector<std::string>& words, StartKind kind, protocol::WriteMode mode, std::optional<CutPlace> only) {
  ++m_runCount;
  const PowerStart& start = startOf(kind, mode);
  const auto source = scriptedOps(words);
  if (!source) return fail(source.error());
  const std::string replay = fmt::format("powercut --workload {} --start {} --mode {}", joined(words), startNames[static_cast<size_t>(kind)], name(mode));
  const auto recording = record(start, *source, {});
  if (!recording) return fail(recording.error().code, recording.error().message + "\n  to replay: " + replay);
  if (m_options.isVerbose) std::fputs(tail(*recording, recording->log.size(), SIZE_MAX).c_str(), stdout);
  PowerCursor cursor(start, *recording);
  for (size_t eventCount = recording->firstCut + 1; eventCount <= recording->log.size(); ++eventCount) {
    if (only && only->eventCount != eventCount) continue;
    for (const CutPlace& place : only ? std::vector{*only} : placesOf(*recording, eventCount)) {
      const auto style = styleNames[static_cast<size_t>(place.style)];
      const std::string exact = fmt::format("{} --cut {} --style {} --chance {}", replay, eventCount, style, place.chance);
      const auto survived = tryCut(cursor, start, *recording, place, exact);
      if (!survived) return fail(survived.error());
    }
  }
  return {};
}

}  // namespace quarry::test
