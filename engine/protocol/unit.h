// SPDX-License-Identifier: GPL-3.0-or-later
// What a number is. Shared by the engine's registry and the console's formatter, so a unit is decided once.
#pragma once

#include <string_view>

namespace quarry::protocol {

enum class Unit { Count, PerSecond, Bytes, BytesPerSecond, Microseconds, Seconds, Ratio };

std::string_view name(Unit unit);  // "count", "per-second", "bytes", "bytes-per-second", "microseconds", "seconds", "ratio"
Unit unitFromName(std::string_view name);  // Count when there is none: a newer engine may know more units

}  // namespace quarry::protocol
