// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3FsStat(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  const VstorageSpace space = target->vstorage->space();
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, target->inode);
  out.u64(space.totalBytes);
  out.u64(space.freeBytes);
  out.u64(space.availableBytes);
  out.u64(space.totalFiles);
  out.u64(space.freeFiles);
  out.u64(space.freeFiles);  // available: no share of them is kept back
  out.u32(0);                // invarsec: may change at any time
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
