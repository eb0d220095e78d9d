// SPDX-License-Identifier: GPL-3.0-or-later
// The addresses under which other hosts may reach this machine, for the mount commands that the console shows: IPv4 first, then IPv6,
// without loopback and link-local ones. Safe from any thread. Failure: an empty list.
#pragma once

#include <string>
#include <vector>

namespace quarry::net {
std::vector<std::string> hostAddresses();
}  // namespace quarry::net
