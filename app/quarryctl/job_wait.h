// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a job to its end, with a live line on a terminal and a plain line every few seconds elsewhere, both on stderr: stdout is for
// the result. Ctrl-C stops following, never the job. Main thread only.
#pragma once

#include <cstdint>
#include <string>

#include "app/quarryctl/session.h"
#include "engine/protocol/messages.h"

namespace quarry::ctl {

// "42.0 %, 210.0 MiB/s, 1 min 5 s left"
std::string progressText(const protocol::JobInfo& job);

// The job as it ended. Cancelled: the user stopped waiting.
Result<protocol::JobInfo> waitForJob(Session& session, int64_t id);

}  // namespace quarry::ctl
