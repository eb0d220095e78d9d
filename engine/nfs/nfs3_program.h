// SPDX-License-Identifier: GPL-3.0-or-later
// NFS version 3 as an RPC program. Threads: see rpc/program.h. Ownership: the service must outlive it.
#pragma once

#include <cstdint>

#include "engine/nfs/nfs_service.h"
#include "engine/rpc/program.h"

namespace quarry::nfs {

inline constexpr uint32_t nfsProgramNumber = 100003;

class Nfs3Program : public rpc::TableProgram<NfsService> {
 public:
  explicit Nfs3Program(NfsService& service);
};

}  // namespace quarry::nfs
