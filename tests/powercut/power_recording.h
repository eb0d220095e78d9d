// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a store, recorded so that the power can be cut at every place of it afterwards: what it did to the disk, and between that when
// each operation began and was answered.
//
// Threads: one. Failure: an operation that the engine refuses, or a store that does not open, is an error: no fault is injected here.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "tests/powercut/power_model.h"
#include "tests/powercut/power_site.h"
#include "tests/support/sim_medium.h"

namespace quarry::test {

// A store on a disk, and what it must hold.
struct PowerStart {
  SimMedium medium;
  PowerModel model;
  int startNumber = 0;
};

struct PowerRecording {
  std::vector<PowerOp> ops;
  std::vector<DiskEvent> log;   // Mark 2 i: operation i began; 2 i + 1: it was answered
  size_t firstCut = 0;          // events before it are the start of the store
};

// The next operation by what clients see now; files in `busy` must be left alone. Nothing: none for now, or none any more.
// Busy while optimize runs, and while a name changes: one of each at a time.
inline constexpr metadata::FileId theJob = UINT64_MAX, theFolder = UINT64_MAX - 1;
using OpSource = std::function<std::optional<PowerOp>(const PowerModel& model, const std::set<metadata::FileId>& busy, size_t opCount)>;

struct RecordOptions {
  size_t atOnce = 1;            // operations under way at a time; with more than one, a repetition may go another way
  bool isStopped = false;       // the store is closed in the end, and that is recorded too
  bool isSwept = false;
  bool fillsRing = false;       // PowerSite::fillRing() first
};

Result<PowerRecording> record(const PowerStart& start, const OpSource& source, RecordOptions options);

// Runs one operation; a Create gets its fileid.
Task<Result<void>> perform(PowerSite& site, PowerOp& op);

// Walks through a recording: what the disk holds after its first events, and what a store that survives there may look like.
class PowerCursor {
 public:
  PowerCursor(const PowerStart& start, const PowerRecording& recording);
  void advanceTo(size_t eventCount);
  const SimMedium& medium() const { return m_medium; }
  // One for each way in which the operations under way may have ended.
  std::vector<PowerModel> alternatives() const;
  std::string underWay() const;

 private:
  const PowerRecording& m_recording;
  SimMedium m_medium;
  PowerModel m_model;
  std::vector<size_t> m_underWay;  // operations, in the order in which they began
  size_t m_at = 0;
};

}  // namespace quarry::test
