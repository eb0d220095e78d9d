// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
// FSF3_ bits: what the file system can do.
enum Property : uint32_t { HardLinks = 1, SymbolicLinks = 2, Homogeneous = 8, CanSetTime = 16 };
}  // namespace

Task<AcceptStat> nfs3FsInfo(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, target->inode);
  for (int direction = 0; direction < 2; ++direction) {  // READ, then WRITE: most, preferred, multiple
    out.u32(transferBytesMax);
    out.u32(transferBytesMax);
    out.u32(static_cast<uint32_t>(blockBytes));
  }
  out.u32(directoryBytesPreferred);
  out.u64(fileBytesMax);
  out.u32(0);  // time_delta: one nanosecond
  out.u32(1);
  out.u32(HardLinks | SymbolicLinks | Homogeneous | CanSetTime);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
