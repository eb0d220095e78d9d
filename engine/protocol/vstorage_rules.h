// SPDX-License-Identifier: GPL-3.0-or-later
// What a user may choose for a vstorage's name and hosts: the rule of the engine, which the console asks while it is typed.
// Pure functions; safe from any thread. InvalidArgument with a sentence for the user.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace quarry::protocol {

inline constexpr size_t nameBytesMax = 64;  // of a vstorage
inline constexpr size_t clientsMax = 256;   // ranges in one list of clients
inline constexpr int unprotectedSecondsMax = 10;  // of acknowledged writes that a power cut may lose in write mode ram

Result<void> checkVstorageName(std::string_view name);
Result<void> checkClients(const std::vector<std::string>& clients);

}  // namespace quarry::protocol
