// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated power cuts, from the command line. Ends with 1 at the first fault, and prints how to repeat it.
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <chrono>
#include <cstdio>

#include "tests/powercut/power_explorer.h"

namespace {

using namespace quarry;
using namespace quarry::test;

struct Arguments {
  uint64_t from = 1, seeds = 0, minutes = 0;
  size_t exhaustive = 0;
  std::string workload, start, mode, style = "sectors";
  std::optional<size_t> cut;
  uint64_t chance = 0;
  PowerExplorer::Options options;
};

std::vector<StartKind> starts(const std::string& name) {
  for (size_t i = 0; i < std::size(startNames); ++i)
    if (startNames[i] == name) return {static_cast<StartKind>(i)};
  return {StartKind::Landed, StartKind::Optimized};
}

std::vector<protocol::WriteMode> modes(const std::string& wanted) {
  std::vector<protocol::WriteMode> all{protocol::WriteMode::Safe, protocol::WriteMode::Through, protocol::WriteMode::Ram};
  for (const protocol::WriteMode mode : all)
    if (name(mode) == wanted) return {mode};
  return all;
}

Result<void> runSeeds(PowerExplorer& explorer, const Arguments& arguments) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(arguments.minutes);
  for (uint64_t i = 0; arguments.minutes > 0 ? std::chrono::steady_clock::now() < end : i < arguments.seeds; ++i)
    if (auto done = explorer.runSeed(arguments.from + i); !done) return done;
  return {};
}

Result<void> runWorkloads(PowerExplorer& explorer, const Arguments& arguments) {
  std::vector<std::vector<std::string>> workloads = allWorkloads(arguments.exhaustive);
  std::optional<CutPlace> only;
  if (!arguments.workload.empty()) workloads = {CLI::detail::split(arguments.workload, ',')};
  for (size_t i = 0; arguments.cut && i < std::size(styleNames); ++i)
    if (styleNames[i] == arguments.style) only = CutPlace{*arguments.cut, static_cast<CutStyle>(i), arguments.chance};
  for (const auto mode : modes(arguments.mode)) {
    for (const StartKind start : starts(arguments.start))
      for (const auto& words : workloads)
        if (auto done = explorer.runWorkload(words, start, mode, only); !done) return done;
  }
  return {};
}

void addOptions(CLI::App& app, Arguments& arguments) {
  app.add_option("--from", arguments.from, "first seed of the random runs");
  app.add_option("--seeds", arguments.seeds, "number of random runs");
  app.add_option("--minutes", arguments.minutes, "random runs for so long instead");
  app.add_option("--exhaustive", arguments.exhaustive, "every workload of up to so many operations, cut everywhere");
  app.add_option("--workload", arguments.workload, "one workload: a list of write, overwrite, truncate, rename, remove, optimize, destage, commit");
  app.add_option("--start", arguments.start, "store that workloads start from: empty, landed or optimized; both of the last by default");
  app.add_option("--mode", arguments.mode, "write mode of the workloads: safe, through or ram; all by default");
  app.add_option("--cut", arguments.cut, "cut the workload after this event only");
  app.add_option("--style", arguments.style, "of that cut: lose, keep, pages or sectors");
  app.add_option("--chance", arguments.chance, "of that cut");
  app.add_option("--operations", arguments.options.opCount, "of a random run, between two cuts");
  app.add_option("--chances", arguments.options.chancesPerPlace, "cuts by chance at each place of a workload");
  app.add_flag("--verbose", arguments.options.isVerbose, "print what was done to the disk");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cuts the power of a simulated disk under the engine and looks at what survived."};
  Arguments arguments;
  addOptions(app, arguments);
  CLI11_PARSE(app, argc, argv);
  setUpPowerCuts();
  PowerExplorer explorer(arguments.options);
  auto done = runSeeds(explorer, arguments);
  if (done && (arguments.exhaustive > 0 || !arguments.workload.empty())) done = runWorkloads(explorer, arguments);
  if (!done) fmt::print(stderr, "FAULT: {}\n", done.error().message);
  fmt::print("{} runs, {} power cuts{}\n", explorer.runCount(), explorer.cutCount(), done ? ", no fault" : "");
  return done ? 0 : 1;
}
