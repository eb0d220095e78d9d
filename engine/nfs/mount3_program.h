// SPDX-License-Identifier: GPL-3.0-or-later
// MOUNT version 3 as an RPC program, RFC 1813 appendix I: NULL, MNT, DUMP, UMNT, UMNTALL, EXPORT.
// Threads: see rpc/program.h. Ownership: the service must outlive it.
#pragma once

#include <cstdint>

#include "engine/nfs/nfs_service.h"
#include "engine/rpc/program.h"

namespace quarry::nfs {

inline constexpr uint32_t mountProgramNumber = 100005;

class Mount3Program : public rpc::TableProgram<NfsService> {
 public:
  explicit Mount3Program(NfsService& service);
};

}  // namespace quarry::nfs
