// SPDX-License-Identifier: GPL-3.0-or-later
// The write modes in words for an administrator: when a write is acknowledged, and what that means at a power cut. Pure functions.
#pragma once

#include <QString>
#include <cstdint>

#include "engine/protocol/messages.h"

namespace quarry {

QString writeModeText(protocol::WriteMode mode);      // one or two words: "safe"
QString writeModeTitle(protocol::WriteMode mode);     // "Safe: when the journal has it"
QString writeModeSentence(protocol::WriteMode mode);  // what it costs and gives
QString powerCutText(protocol::WriteMode mode);       // "nothing is lost"
bool isUnprotected(protocol::WriteMode mode);         // a power cut loses acknowledged writes

struct Unprotected {
  uint64_t bytes = 0;
  uint64_t oldestSeconds = 0;
};
QString unprotectedText(const Unprotected& unprotected);  // "38 MiB, 4 s"

}  // namespace quarry
