// SPDX-License-Identifier: GPL-3.0-or-later
// Times as the control protocol and JSON carry them: ISO 8601 in UTC, whole seconds, such as "2026-11-30T19:22:04Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/clock.h"

namespace quarry {
std::string isoTime(Timestamp time);
std::optional<Timestamp> parseIsoTime(std::string_view text);  // nothing unless the text is exactly of that form
}  // namespace quarry
