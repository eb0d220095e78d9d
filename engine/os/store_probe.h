// SPDX-License-Identifier: GPL-3.0-or-later
// Can a store live in this folder? Asked by `quarryd --check` and before a store is made. Leaves the disk as it was: folders that the
// probe made and its test file are removed again. Blocks for up to about two seconds; call it off the loop threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quarry::os {

enum class ProbeOutcome { Passed, Warning, Failed, Skipped };  // Skipped: an earlier check failed, so this could not be tried

struct ProbeCheck {
  std::string name;     // stable: "folder", "ours", "writable", "io-uring", "direct-io", "hole-punching", "hole-grain", "space", "speed"
  ProbeOutcome outcome = ProbeOutcome::Skipped;
  std::string sentence; // for the administrator; a failure ends with what to do
};

struct StoreProbe {
  std::vector<ProbeCheck> checks;
  bool isExistingStore = false;         // quarry.json is there
  uint64_t totalBytes = 0;
  uint64_t freeBytes = 0;
  uint64_t writeBytesPerSecond = 0;     // sequential, 0 when not measured

  bool isUsable() const;                // no check failed or was skipped
  // Sentences of the failed checks, joined by spaces.
  std::string failures() const;
};

inline constexpr uint64_t storeFreeBytesMin = 64 * 1024 * 1024;             // below: refused
inline constexpr uint64_t storeFreeBytesWarning = 10ULL * 1024 * 1024 * 1024;

// A file in the folder while a store is being made there. Without quarry.json beside it, what the engine makes counts as nothing.
inline constexpr const char* creatingName = "creating";

StoreProbe probeStore(const std::string& storePath);

}  // namespace quarry::os
