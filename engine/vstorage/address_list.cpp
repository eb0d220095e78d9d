// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/address_list.h"

#include <algorithm>

namespace quarry {

Result<AddressList> AddressList::parse(const std::vector<std::string>& entries) {
  static const std::vector<std::string> loopback{"127.0.0.0/8", "::1"};
  AddressList list;
  for (const std::string& entry : entries.empty() ? loopback : entries) {
    auto range = protocol::parseAddressRange(entry);
    if (!range) return fail(range.error());
    list.m_ranges.push_back(*range);
  }
  return list;
}

bool AddressList::contains(std::string_view text) const {
  // A link-local client arrives with its interface: "fe80::1%eth0".
  const auto address = protocol::parseAddress(text.substr(0, text.find('%')));
  if (!address) return false;
  return std::any_of(m_ranges.begin(), m_ranges.end(), [&address](const protocol::AddressRange& range) { return range.contains(*address); });
}

}  // namespace quarry
