// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text ↔ nlohmann values under the protocol's limits. Only the protocol's own sources include it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace quarry::protocol {

inline constexpr int nestingMax = 32;  // deeper text is refused before it is parsed

// Protocol when the text is too long, too deep, not JSON or not UTF-8.
Result<nlohmann::json> parseJson(std::string_view text);
// One line without blanks; bytes that are not UTF-8 (file names may hold any) become U+FFFD; NaN becomes null.
std::string dumpJson(const nlohmann::json& value);

}  // namespace quarry::protocol
