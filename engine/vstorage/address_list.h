// SPDX-License-Identifier: GPL-3.0-or-later
// Which clients may use an export: IPv4 and IPv6 addresses and CIDR ranges. An IPv4 address mapped into IPv6 is that IPv4 address.
// A range with bits set behind its prefix is refused: it is mostly a typing error. Constant after parsing; safe from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace quarry {

class AddressList {
 public:
  // Empty: loopback only. InvalidArgument names the entry and what is wrong with it.
  static Result<AddressList> parse(const std::vector<std::string>& entries);

  bool contains(std::string_view address) const;  // false for what is no address

 private:
  struct Range {
    std::array<uint8_t, 16> address{};  // IPv4 as ::ffff:a.b.c.d
    unsigned prefixBits = 128;
  };
  static Result<Range> parseRange(std::string_view entry);

  std::vector<Range> m_ranges;
};

}  // namespace quarry
