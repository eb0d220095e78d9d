// SPDX-License-Identifier: GPL-3.0-or-later
// Address and port as people and URLs write them: an IPv6 address stands in brackets. Pure.
#pragma once

#include <string>

namespace quarry::protocol {

inline std::string endpointText(const std::string& address, int port) {
  const bool isSix = address.find(':') != std::string::npos;
  return (isSix ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

}  // namespace quarry::protocol
