// SPDX-License-Identifier: GPL-3.0-or-later
// The path that a client mounts: "/NAME" is a vstorage, "/NAME/folder/…" a folder in it. Slashes at the ends and doubled ones count for
// nothing, so that "NAME", "/NAME" and "/NAME/" are the same.
//
// Threads: a pure function. Failure: NotFound for a path that names no vstorage ("" and "/"), NameTooLong, AccessDenied for ".." anywhere:
// a mount never leads out of its vstorage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace quarry::nfs {

struct MountPath {
  std::string vstorage;
  std::vector<std::string> folders;  // from the root down
};

inline constexpr size_t mountPathBytesMax = 1024;

Result<MountPath> parseMountPath(std::string_view path);
// "/NAME/folder/…": the one spelling of what clients may write in several ways.
std::string mountPathText(const MountPath& path);

}  // namespace quarry::nfs
