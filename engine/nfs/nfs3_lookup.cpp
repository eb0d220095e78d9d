// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3Lookup(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  const std::string_view name = readName(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  if (const auto allowed = checkName(name); !allowed) co_return failPostOp(out, allowed.error(), target);
  const Result<Inode> found = target->vstorage->lookup(target->caller, target->inode.fileid, name);
  if (!found) co_return failPostOp(out, found.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  out.opaque(service.handleOf(*found));
  writePostOp(out, *found);
  writePostOp(out, target->inode);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
