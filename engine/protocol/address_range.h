// SPDX-License-Identifier: GPL-3.0-or-later
// One entry of a list of clients: an IPv4 or IPv6 address, or a CIDR range of them; an IPv4 address mapped into IPv6 is that IPv4 address.
// Engine and console read entries with the same function, so what the console accepts the engine accepts. A range with bits set behind its
// prefix is refused: it is mostly a typing error. Plain values and pure functions; safe from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/result.h"

namespace quarry::protocol {

using AddressBytes = std::array<uint8_t, 16>;  // IPv4 as ::ffff:a.b.c.d

struct AddressRange {
  AddressBytes address{};
  unsigned prefixBits = 128;

  bool contains(const AddressBytes& client) const;  // a range of IPv6 addresses, such as ::/0, holds no IPv4 ones
};

std::optional<AddressBytes> parseAddress(std::string_view text);  // nothing for names, short forms and scopes ("fe80::1%eth0")

// InvalidArgument with a sentence that names the entry and what to write instead.
Result<AddressRange> parseAddressRange(std::string_view entry);

}  // namespace quarry::protocol
