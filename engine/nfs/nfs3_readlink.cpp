// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3ReadLink(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  const Result<std::string> path = target->vstorage->readLink(target->caller, target->inode.fileid);
  if (!path) co_return failPostOp(out, path.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, attributesNow(target));
  out.string(*path);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
