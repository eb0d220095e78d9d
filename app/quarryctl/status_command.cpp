// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/amount.h"
#include "app/quarryctl/commands.h"
#include "app/quarryctl/savings_text.h"
#include "app/quarryctl/table.h"
#include "engine/protocol/endpoint_text.h"

namespace quarry::ctl {
namespace {

std::string statusText(const protocol::EngineStatus& status) {
  const std::string state = status.state == protocol::StoreState::Serving ? "serving" : "READ-ONLY: " + status.reason;
  std::vector<std::pair<std::string, std::string>> fields{
      {"state", state},
      {"engine", status.engineVersion + ", up " + ageText(status.uptimeSeconds) + " since " + status.startedAt},
      {"store", status.storePath},
      {"NFS", protocol::endpointText(status.nfsAddress, status.nfsPort)},
      {"reachable as", joined(status.hostAddresses, "-")},
      {"vstorages", std::to_string(status.vstorageCount)},
      {"VMs", std::to_string(status.vmCount)},
      {"connections", std::to_string(status.connectionCount)},
      {"store on disk", sizeText(status.space.storeBytes)},
      {"disk", sizeText(status.space.freeBytes) + " free of " + sizeText(status.space.diskBytes)},
      {"clients see", sizeText(status.space.availableBytes) + " free (" + sizeText(status.space.reserveBytes) + " kept in reserve)"},
  };
  appendSavings(fields, status.savings);
  return fieldLines(fields);
}

}  // namespace

void addStatusCommand(CLI::App& app, Session& session) {
  addVerb(app, "status", "State of the engine, its store and what it saves")->callback([&session] {
    session.show<protocol::EngineStatus>("status.show", "null", statusText);
  });
}

}  // namespace quarry::ctl
