// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
Result<void> checkRename(const Result<Target>& from, const Result<Target>& to, const RenameRequest& request) {
  if (!from) return fail(from.error());
  if (!to) return fail(to.error());
  if (from->vstorage->id() != to->vstorage->id()) return fail(ErrorCode::CrossDevice, "RENAME from one vstorage to another");
  if (auto allowed = checkOldName(request.fromName); !allowed) return allowed;
  return checkOldName(request.toName);
}

AcceptStat failBoth(XdrWriter& out, const Error& error, const Result<Target>& from, const Result<Target>& to) {
  writeStatus(out, toNfsStatus(error.code));
  writeWccAfterFailure(out, attributesNow(from));
  writeWccAfterFailure(out, attributesNow(to));
  return AcceptStat::Success;
}
}  // namespace

Task<AcceptStat> nfs3Rename(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes fromHandle = readHandle(in);
  RenameRequest request;
  request.fromName = readName(in);
  const Bytes toHandle = readHandle(in);
  request.toName = readName(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> from = service.resolve(context, fromHandle), to = service.resolve(context, toHandle);
  XdrWriter& out = reply.results();
  if (const auto allowed = checkRename(from, to, request); !allowed) co_return failBoth(out, allowed.error(), from, to);
  request.fromDirectory = from->inode.fileid;
  request.toDirectory = to->inode.fileid;
  const Result<Renamed> renamed = co_await from->vstorage->rename(from->caller, std::move(request));
  if (!renamed) co_return failBoth(out, renamed.error(), from, to);
  writeStatus(out, Nfsstat3::Ok);
  writeWcc(out, renamed->fromDirectory);
  writeWcc(out, renamed->toDirectory);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
