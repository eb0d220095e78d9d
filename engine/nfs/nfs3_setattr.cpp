// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
Result<void> checkSize(const Inode& inode, std::optional<uint64_t> size) {
  if (!size) return {};
  if (*size > fileBytesMax) return fail(ErrorCode::FileTooBig, "no file may be larger than 64 TiB");
  return checkRegular(inode);
}
}  // namespace

Task<AcceptStat> nfs3SetAttr(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  metadata::AttributeChange change = readSetAttributes(in, service.clock());
  if (in.boolean()) change.guardChanged = readTime(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failWcc(out, target.error(), target);
  if (const auto allowed = checkSize(target->inode, change.size); !allowed) co_return failWcc(out, allowed.error(), target);
  const Result<Change> changed = co_await target->vstorage->setAttributes(target->caller, target->inode.fileid, std::move(change));
  if (!changed) co_return failWcc(out, changed.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writeWcc(out, *changed);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
