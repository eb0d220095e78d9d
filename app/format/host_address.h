// SPDX-License-Identifier: GPL-3.0-or-later
// Under which address hosts reach the engine: the one chosen in the settings, else the one it listens on, else the first of its machine.
// Empty when there is none. Pure function.
#pragma once

#include <QString>

#include "app/settings/settings.h"
#include "engine/protocol/messages.h"

namespace quarry {

QString hostAddress(const protocol::EngineStatus& status, const Settings& settings);

}  // namespace quarry
