// SPDX-License-Identifier: GPL-3.0-or-later
// `quarryd --store DIR --check`: can a store live in this folder? One JSON document for the console's wizard and for scripts:
//   {"path", "ok", "existingStore", "checks": [{"name", "ok", "warning", "text"}], "freeBytes", "diskBytes", "writeBytesPerSecond",
//    "memory": {"machineBytes", "availableBytes", "cacheBytesMin", "cacheBytesMax", "cacheBytes"}}; the last one is the cache's default size.
// Leaves the folder as it was. Returns the exit status: 0 usable, 1 not.
#pragma once

#include <iosfwd>
#include <string>

namespace quarry {
int checkStore(const std::string& storePath, std::ostream& out);
}  // namespace quarry
