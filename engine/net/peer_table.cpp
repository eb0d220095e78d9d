// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/peer_table.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace quarry::net {

std::vector<std::shared_ptr<Connection>> PeerTable::open() {
  std::vector<std::shared_ptr<Connection>> open;
  std::erase_if(m_connections, [&open](const std::weak_ptr<Connection>& entry) {
    std::shared_ptr<Connection> connection = entry.lock();
    if (!connection || connection->isClosed()) return true;
    open.push_back(std::move(connection));
    return false;
  });
  return open;
}

size_t PeerTable::count() { return open().size(); }

size_t PeerTable::countOf(const std::string& address) {
  const auto connections = open();
  return static_cast<size_t>(
      std::count_if(connections.begin(), connections.end(), [&](const auto& connection) { return connection->peer().address == address; }));
}

std::shared_ptr<Connection> PeerTable::takeSilent(const std::string& address) {
  std::shared_ptr<Connection> silent;
  for (const auto& connection : open())
    if (connection->peer().address == address && (!silent || connection->lastHeard() < silent->lastHeard())) silent = connection;
  std::erase_if(m_connections, [&silent](const auto& entry) { return entry.lock() == silent; });
  return silent;
}

std::shared_ptr<Connection> PeerTable::takeSilentOfMost() {
  const auto connections = open();
  std::map<std::string_view, size_t> counts;
  for (const auto& connection : connections) ++counts[connection->peer().address];
  const auto most = std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? nullptr : takeSilent(std::string(most->first));
}

}  // namespace quarry::net
