// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/socket_path.h"

#include <unistd.h>

#include <cstdlib>

namespace quarry::protocol {

std::string controlSocketFor(const std::string& runtimeFolder, unsigned userId) {
  if (!runtimeFolder.empty()) return runtimeFolder + "/quarry/control.sock";
  if (userId == 0) return "/run/quarry/control.sock";
  return "/tmp/quarry-" + std::to_string(userId) + "/control.sock";
}

std::string defaultControlSocket() {
  const char* runtimeFolder = std::getenv("XDG_RUNTIME_DIR");
  return controlSocketFor(runtimeFolder ? runtimeFolder : "", ::geteuid());
}

}  // namespace quarry::protocol
