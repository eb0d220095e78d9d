// SPDX-License-Identifier: GPL-3.0-or-later
// What a job's state means, for the engine, the console and quarryctl alike. Pure; safe from any thread.
#pragma once

#include "engine/protocol/messages.h"

namespace quarry::protocol {

// Nothing will change any more.
inline bool hasEnded(JobState state) {
  switch (state) {
    case JobState::Queued:
    case JobState::Running:
    case JobState::Paused: return false;
    case JobState::Done:
    case JobState::Failed:
    case JobState::Cancelled: return true;
  }
  return true;
}

}  // namespace quarry::protocol
