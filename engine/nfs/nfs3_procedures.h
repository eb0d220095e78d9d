// SPDX-License-Identifier: GPL-3.0-or-later
// The 22 procedures of NFSv3, RFC 1813 section 3.3, one file each (nfs3_NAME.cpp) in one shape: decode → resolve handle → act → map error →
// encode. The table is in nfs3_program.cpp.
//
// Threads: any loop, many at once. Service, context, reader and reply outlive the task.
#pragma once

#include "engine/base/async.h"
#include "engine/nfs/nfs3_xdr.h"
#include "engine/nfs/nfs_service.h"
#include "engine/rpc/reply.h"
#include "engine/rpc/request_context.h"

namespace quarry::nfs {

using rpc::Reply;
using rpc::RequestContext;

inline constexpr uint32_t transferBytesMax = 1024 * 1024;  // of one READ or WRITE
inline constexpr uint32_t directoryBytesPreferred = 64 * 1024;
inline constexpr size_t symlinkBytesMax = 4096;

Task<AcceptStat> nfs3Null(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3GetAttr(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3SetAttr(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Lookup(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Access(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3ReadLink(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Read(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
size_t nfs3ReadReplyBytes(XdrReader arguments);
Task<AcceptStat> nfs3Write(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Create(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3MkDir(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Symlink(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3MkNod(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Remove(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3RmDir(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Rename(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Link(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3ReadDir(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3ReadDirPlus(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3FsStat(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3FsInfo(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3PathConf(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);
Task<AcceptStat> nfs3Commit(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply);

}  // namespace quarry::nfs
