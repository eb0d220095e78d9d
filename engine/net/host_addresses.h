// SPDX-License-Identifier: GPL-3.0-or-later
// The addresses under which other hosts may reach a server on this machine, for the mount commands that the console shows: IPv4 first, then IPv6,
// without loopback and link-local ones. Safe from any thread. Failure: an empty list.
#pragma once

#include <string>
#include <vector>

namespace quarry::net {
// Of all interfaces that a server listening on `listenAddress` answers on: of "0.0.0.0" IPv4 ones only, of "::" both kinds, else itself, and
// none when it is loopback.
std::vector<std::string> hostAddresses(const std::string& listenAddress);
}  // namespace quarry::net
