// SPDX-License-Identifier: GPL-3.0-or-later
// Where the operations of a power-cut run come from: by chance from a seed, or all short sequences of eight kinds; and the stores they start from.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "tests/powercut/power_recording.h"

namespace quarry::test {

// Made by the engine itself and stopped cleanly. Empty: one vstorage without files. Landed, Optimized: files "a" (eight blocks, some of them
// equal) and "b" (five and a part), in landing files or behind recipes.
enum class StartKind { Empty, Landed, Optimized };
inline constexpr std::string_view startNames[] = {"empty", "landed", "optimized"};
// The journal of an optimized one in mode `safe` is about to go over its end.
Result<PowerStart> makeStart(StartKind kind, protocol::WriteMode mode);

OpSource randomOps(std::shared_ptr<std::mt19937_64> random, size_t opCountMax);

// write: unstable, grows the file; overwrite: stable, in the middle and unaligned; truncate: shortens, or grows again; rename: to the other
// name, which it replaces; write makes the file anew once it was removed.
inline constexpr std::string_view workloadWords[] = {"write", "overwrite", "truncate", "rename", "remove", "optimize", "destage", "commit"};
Result<OpSource> scriptedOps(std::vector<std::string> words);
std::vector<std::vector<std::string>> allWorkloads(size_t opCountMax);

}  // namespace quarry::test
