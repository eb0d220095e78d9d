// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3Commit(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  const uint64_t offset = in.u64();
  const uint32_t count = in.u32();
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failWcc(out, target.error(), target);
  if (const auto allowed = checkRegular(target->inode); !allowed) co_return failWcc(out, allowed.error(), target);
  const Result<Change> committed = co_await target->vstorage->commit(target->caller, target->inode.fileid, offset, count);
  if (!committed) co_return failWcc(out, committed.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writeWcc(out, *committed);
  out.u64(target->vstorage->writeVerifier());
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
