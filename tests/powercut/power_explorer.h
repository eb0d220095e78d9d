// SPDX-License-Identifier: GPL-3.0-or-later
// Power cuts in numbers: random runs by seed, and every place of short workloads. What fails is told with the command that repeats it.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "tests/powercut/power_recording.h"
#include "tests/powercut/power_workload.h"

namespace quarry::test {

struct CutPlace {
  size_t eventCount = 0;
  CutStyle style = CutStyle::LoseAll;
  uint64_t chance = 0;  // seeds what the cut leaves, and the checks after it
};

inline constexpr std::string_view styleNames[] = {"lose", "keep", "pages", "sectors"};

class PowerExplorer {
 public:
  struct Options {
    size_t opCount = 14;          // of a random run, before each cut
    size_t generations = 3;       // cuts one after the other on what the one before left
    size_t cutsPerRecording = 6;
    size_t chancesPerPlace = 2;   // of a workload
    bool isVerbose = false;       // prints what was recorded
  };
  explicit PowerExplorer(Options options) : m_options(options) {}

  // Runs the seed `from`, and so on.
  Result<void> runSeed(uint64_t seed);
  // Cuts at every place; with `only`, there alone.
  Result<void> runWorkload(const std::vector<std::string>& words, StartKind start, protocol::WriteMode mode, std::optional<CutPlace> only = std::nullopt);

  uint64_t cutCount() const { return m_cutCount; }
  uint64_t runCount() const { return m_runCount; }

 private:
  struct Context;
  Result<PowerModel> tryCut(PowerCursor& cursor, const PowerStart& start, const PowerRecording& recording, CutPlace place,
                            const std::string& replay, SimMedium* left = nullptr);
  std::vector<CutPlace> placesOf(const PowerRecording& recording, size_t eventCount) const;
  const PowerStart& startOf(StartKind kind, protocol::WriteMode mode);

  const Options m_options;
  std::map<std::pair<StartKind, protocol::WriteMode>, PowerStart> m_starts;
  uint64_t m_cutCount = 0, m_runCount = 0;
};

// Once in a process, before the first explorer: logs only what is critical, and puts SQLite on the simulated disk.
void setUpPowerCuts();

// The end of a recording up to a cut, one event a line, with what the marks mean.
std::string tail(const PowerRecording& recording, size_t eventCount, size_t linesMax);

}  // namespace quarry::test
