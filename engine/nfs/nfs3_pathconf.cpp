// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
constexpr uint32_t linkCountMax = 32000;
}  // namespace

Task<AcceptStat> nfs3PathConf(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, target->inode);
  out.u32(linkCountMax);
  out.u32(static_cast<uint32_t>(nameBytesMax));
  out.boolean(true);   // no_trunc: a long name is refused, not cut
  out.boolean(true);   // chown_restricted
  out.boolean(false);  // case_insensitive
  out.boolean(true);   // case_preserving
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
