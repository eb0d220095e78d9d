// SPDX-License-Identifier: GPL-3.0-or-later
// The NFS server's own numbers as gauges: connections, requests, and the memory whose limit makes clients wait. Any thread; ids nfs/….
#pragma once

#include "engine/nfs/nfs_server.h"
#include "engine/stats/stat_registry.h"

namespace quarry {

// The server must outlive the registration.
[[nodiscard]] StatRegistration declareNfs(StatRegistry& registry, const nfs::NfsServer& server);

}  // namespace quarry
