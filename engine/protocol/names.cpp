// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/names.h"

namespace quarry::protocol {

std::string_view name(StoreState state) {
  switch (state) {
    case StoreState::Serving: return "serving";
    case StoreState::ReadOnly: return "read-only";
  }
  return {};
}

std::string_view name(WriteMode mode) {
  switch (mode) {
    case WriteMode::Safe: return "safe";
    case WriteMode::Through: return "through";
    case WriteMode::Ram: return "ram";
  }
  return {};
}

std::string_view name(Squash squash) {
  switch (squash) {
    case Squash::None: return "none";
    case Squash::Root: return "root";
    case Squash::All: return "all";
  }
  return {};
}

std::string_view name(JobType type) {
  switch (type) {
    case JobType::Optimize: return "optimize";
    case JobType::GarbageCollection: return "gc";
    case JobType::Scrub: return "scrub";
    case JobType::Rehydrate: return "rehydrate";
    case JobType::Estimate: return "estimate";
  }
  return {};
}

std::string_view name(JobState state) {
  switch (state) {
    case JobState::Queued: return "queued";
    case JobState::Running: return "running";
    case JobState::Paused: return "paused";
    case JobState::Done: return "done";
    case JobState::Failed: return "failed";
    case JobState::Cancelled: return "cancelled";
  }
  return {};
}

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return {};
}

}  // namespace quarry::protocol
