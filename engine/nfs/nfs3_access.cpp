// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3Access(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  const uint32_t wanted = in.u32();
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  uint32_t granted = target->vstorage->access(target->caller, target->inode, wanted) & wanted;
  if (target->vstorage->readOnly()) granted &= ~uint32_t{AccessModify | AccessExtend | AccessDelete};
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, target->inode);
  out.u32(granted);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
