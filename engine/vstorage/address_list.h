// SPDX-License-Identifier: GPL-3.0-or-later
// Which clients may use an export: the addresses and ranges of protocol/address_range.h. Constant after parsing; safe from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/protocol/address_range.h"

namespace quarry {

class AddressList {
 public:
  // Empty: loopback only. InvalidArgument names the entry and what is wrong with it.
  static Result<AddressList> parse(const std::vector<std::string>& entries);

  bool contains(std::string_view address) const;  // false for what is no address

 private:
  std::vector<protocol::AddressRange> m_ranges;
};

}  // namespace quarry
