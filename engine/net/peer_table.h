// SPDX-License-Identifier: GPL-3.0-or-later
// Which connections are open, for the listener's limits: how many an address has, and which one to close for a new one. The silent ones go
// first, for they are often all that a host left which lost power, and a host that is asked nothing loses nothing but a reconnect.
//
// Threads: one at a time. Ownership: none of the connections; ended ones drop out by themselves.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/net/connection.h"

namespace quarry::net {

class PeerTable {
 public:
  void add(const std::shared_ptr<Connection>& connection) { m_connections.push_back(connection); }
  size_t count();
  size_t countOf(const std::string& address);
  // The connection that has been silent the longest, of that address or of the one with the most; forgotten here. Null: none.
  std::shared_ptr<Connection> takeSilent(const std::string& address);
  std::shared_ptr<Connection> takeSilentOfMost();

 private:
  std::vector<std::shared_ptr<Connection>> open();  // also drops the ended ones

  std::vector<std::weak_ptr<Connection>> m_connections;
};

}  // namespace quarry::net
