// SPDX-License-Identifier: GPL-3.0-or-later
// What the event list says of a job that ended: one event, however much the job has to tell; the rest is in its report. Pure.
#pragma once

#include <string>

#include "engine/protocol/messages.h"

namespace quarry {

struct JobEvent {
  protocol::Severity severity = protocol::Severity::Info;
  std::string text;
};

// Error when it failed, Warning when it met problems. REQUIRES: it has ended.
JobEvent eventOf(const protocol::JobInfo& job);

}  // namespace quarry
