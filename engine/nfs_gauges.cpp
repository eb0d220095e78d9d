// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs_gauges.h"

#include <utility>
#include <vector>

namespace quarry {

StatRegistration declareNfs(StatRegistry& registry, const nfs::NfsServer& server) {
  std::vector<StatDeclaration> group;
  const auto add = [&group](const char* id, protocol::Unit unit, const char* text, double maximum, auto value) {
    group.push_back({{std::string("nfs/") + id, unit, text, maximum}, [value](double) { return static_cast<double>(value()); }});
  };
  const net::ConnectionCounters& counters = server.counters();
  using protocol::Unit;
  add("connections", Unit::Count, "Connections that clients have open.", 0, [&counters] { return counters.connectionCount.load(); });
  add("running", Unit::Count, "Requests that are being served.", 0, [&counters] { return counters.requestsRunning.load(); });
  add("held", Unit::Bytes, "Memory of requests and replies; at its limit clients are made to wait.", static_cast<double>(counters.heldBytesMax),
      [&counters] { return counters.heldBytes.load(); });
  add("evicted", Unit::Count, "Connections closed since the start to make room for others.", 0, [&counters] { return counters.evictedCount.load(); });
  add("retransmitted", Unit::Count, "Calls that came again since the start and were answered from the reply cache.", 0,
      [&server] { return server.retransmissionCount(); });
  return registry.add(std::move(group));
}

}  // namespace quarry
