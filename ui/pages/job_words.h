// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs in words, the same on every page. Plain functions; GUI thread only.
#pragma once

#include <QString>

#include "engine/protocol/messages.h"

namespace quarry {

class JobModel;

QString jobTitle(const protocol::JobInfo& job);    // "Optimize vs-desktops"
QString jobNumbers(const protocol::JobInfo& job);  // "62 % · 318 MiB/s · 4 min left"
QString waitingText(int count);                    // "1 more is waiting"; empty for none
QString jobShort(const protocol::JobInfo& job);    // "Optimization 62 % · 4 min left"
QString lastJobSentence(const JobModel& jobs);     // "Last: Optimize vs-servers, done 3 h ago"; what to do when there was none
QString jobReport(const protocol::JobInfo& job);   // everything, as lines of text

}  // namespace quarry
