// SPDX-License-Identifier: GPL-3.0-or-later
// Points in time as the protocol spells them: ISO 8601 UTC in whole seconds, "2026-11-30T19:22:04Z". Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/clock.h"

namespace quarry::protocol {

std::string isoText(Timestamp time);
std::optional<Timestamp> timestampFromIso(std::string_view text);  // none when it is not exactly of this form

}  // namespace quarry::protocol
