// SPDX-License-Identifier: GPL-3.0-or-later
// What Quarry takes from a .vmx, VMware's text file of a VM: lines of `key = "value"`, keys in any case, '#' starts a comment,
// |XX in a value is the byte with that hex number (https://knowledge.broadcom.com, "Tips for editing a .vmx file"). Text from
// clients: bounded, never trusted. Pure functions; fuzzed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quarry {

inline constexpr size_t vmxBytesMax = 256 * 1024;  // what follows is not looked at

// The value of the first line with this key; printable characters only, at most 256 bytes of it.
std::optional<std::string> vmxValue(std::string_view text, std::string_view key);

// "debian12-64" → "Debian 12", "windows2019srv-64" → "Windows Server 2019". Unknown ids come back as they are.
std::string guestName(std::string_view guestOs);

}  // namespace quarry
