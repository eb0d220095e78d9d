// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3Remove(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  const std::string_view name = readName(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failWcc(out, target.error(), target);
  if (const auto allowed = checkOldName(name); !allowed) co_return failWcc(out, allowed.error(), target);
  const Result<Removed> removed = co_await target->vstorage->remove(target->caller, target->inode.fileid, std::string(name));
  if (!removed) co_return failWcc(out, removed.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writeWcc(out, removed->directory);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
