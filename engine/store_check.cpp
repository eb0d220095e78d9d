// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store_check.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/os/store_probe.h"

namespace quarry {

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
                                        {"writeBytesPerSecond", probe.writeBytesPerSecond}};
  out << document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  return probe.isUsable() ? 0 : 1;
}

}  // namespace quarry
