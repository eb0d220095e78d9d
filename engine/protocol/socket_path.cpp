// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/socket_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace quarry::protocol {

namespace {
std::string runtimeFolder() {
  const char* folder = std::getenv("XDG_RUNTIME_DIR");
  return folder ? folder : "";
}

bool isUsableSocket(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode) && ::access(path.c_str(), R_OK | W_OK) == 0;
}
}  // namespace

std::vector<std::string> controlSocketsFor(const std::string& runtimeFolder, unsigned userId) {
  const std::string system = "/run/quarry/control.sock";
  if (userId == 0) return {system};
  const std::string fallback = "/tmp/quarry-" + std::to_string(userId) + "/control.sock";
  if (runtimeFolder.empty()) return {fallback, system};
  return {runtimeFolder + "/quarry/control.sock", fallback, system};
}

std::string defaultControlSocket() { return controlSocketsFor(runtimeFolder(), ::geteuid()).front(); }

std::string findControlSocket() {
  const std::vector<std::string> sockets = controlSocketsFor(runtimeFolder(), ::geteuid());
  const auto found = std::find_if(sockets.begin(), sockets.end(), isUsableSocket);
  return found == sockets.end() ? sockets.front() : *found;
}

}  // namespace quarry::protocol
