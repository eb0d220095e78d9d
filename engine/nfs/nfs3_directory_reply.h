// SPDX-License-Identifier: GPL-3.0-or-later
// The listing that READDIR and READDIRPLUS share: as many entries as fit the client's limits, RFC 1813 sections 3.3.16 and 3.3.17.
//
// Threads: any; answers from RAM. Failure: NotDirectory, TooSmall when not one entry fits, or what the vstorage says; `out` then holds a
// part that the caller takes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/nfs/nfs3_xdr.h"
#include "engine/nfs/nfs_service.h"
#include "engine/rpc/reply.h"

namespace quarry::nfs {

enum class DirectoryDetail { Names, NamesAndHandles };

struct DirectoryQuery {
  uint64_t cookie = 0;                                        // of the last entry the client has; 0: from the start
  size_t nameBytesMax = std::numeric_limits<size_t>::max();   // READDIRPLUS's dircount: fileids, names and cookies alone
  size_t resultBytesMax = 0;                                  // of READDIR3resok or READDIRPLUS3resok, all of it
};

inline constexpr size_t directoryBytesMax = 128 * 1024;       // of one reply whatever the client allows, so that no listing holds a loop up

Result<void> writeDirectory(const NfsService& service, const Target& target, const DirectoryQuery& query, DirectoryDetail detail, XdrWriter& out);

// What READDIR and READDIRPLUS have in common: all but their arguments.
AcceptStat replyDirectory(const NfsService& service, const Result<Target>& target, const DirectoryQuery& query, DirectoryDetail detail, rpc::Reply& reply);

}  // namespace quarry::nfs
