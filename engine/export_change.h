// SPDX-License-Identifier: GPL-3.0-or-later
// What the event list says when the administrator changes how a vstorage is offered. Pure.
#pragma once

#include <string>

#include "engine/protocol/messages.h"

namespace quarry {

struct ExportChange {
  std::string text;           // "clients: 10.0.0.0/24 -> 0.0.0.0/0, quota: …"; empty: nothing changed
  bool opensAccess = false;   // clients may do, or lose, more than before: worth a warning
};

ExportChange exportChange(const protocol::VstorageInfo& before, const protocol::VstorageInfo& after);

}  // namespace quarry
