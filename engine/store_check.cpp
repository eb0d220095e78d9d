// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store_check.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cache/cache_budget.h"
#include "engine/os/store_probe.h"

namespace quarry {

namespace {

nlohmann::ordered_json memoryOfMachine() {
  const cache::CacheLimits limits = cache::cacheLimits();
  return {{"machineBytes", limits.machineBytes},
          {"availableBytes", limits.availableBytes},
          {"cacheBytesMin", limits.bytesMin},
          {"cacheBytesMax", limits.bytesMax},
          {"cacheBytes", cache::defaultCacheBytes()}};
}

}  // namespace

int checkStore(const std::string& storePath, std::ostream& out) {
  const os::StoreProbe probe = os::probeStore(storePath);
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  for (const os::ProbeCheck& check : probe.checks) {
    const bool passed = check.outcome == os::ProbeOutcome::Passed || check.outcome == os::ProbeOutcome::Warning;
    checks.push_back({{"name", check.name}, {"ok", passed}, {"warning", check.outcome == os::ProbeOutcome::Warning}, {"text", check.sentence}});
  }
  const nlohmann::ordered_json document{{"path", storePath},
                                        {"ok", probe.isUsable()},
                                        {"existingStore", probe.isExistingStore},
                                        {"checks", checks},
                                        {"freeBytes", probe.freeBytes},
                                        {"diskBytes", probe.totalBytes},
                                        {"writeBytesPerSecond", probe.writeBytesPerSecond},
                                        {"memory", memoryOfMachine()}};
  out << document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  return probe.isUsable() ? 0 : 1;
}

}  // namespace quarry
