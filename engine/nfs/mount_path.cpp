// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/mount_path.h"

#include <algorithm>

#include "engine/nfs/nfs_service.h"

namespace quarry::nfs {

Result<MountPath> parseMountPath(std::string_view path) {
  if (path.size() > mountPathBytesMax) return fail(ErrorCode::NameTooLong, "mount path of " + std::to_string(path.size()) + " bytes");
  MountPath parsed;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") return fail(ErrorCode::AccessDenied, "mount path with '..'");
    if (auto allowed = checkName(part); !allowed) return fail(allowed.error());
    if (parsed.vstorage.empty()) parsed.vstorage = part;
    else parsed.folders.emplace_back(part);
  }
  if (parsed.vstorage.empty()) return fail(ErrorCode::NotFound, "mount path without the name of a vstorage");
  return parsed;
}

std::string mountPathText(const MountPath& path) {
  std::string text = "/" + path.vstorage;
  for (const std::string& folder : path.folders) text += "/" + folder;
  return text;
}

}  // namespace quarry::nfs
