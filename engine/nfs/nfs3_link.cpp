// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
Result<void> checkLink(const Result<Target>& file, const Result<Target>& directory, std::string_view name) {
  if (!file) return fail(file.error());
  if (!directory) return fail(directory.error());
  if (file->vstorage->id() != directory->vstorage->id()) return fail(ErrorCode::CrossDevice, "LINK from one vstorage to another");
  return checkNewName(name);
}

AcceptStat failBoth(XdrWriter& out, const Error& error, const Result<Target>& file, const Result<Target>& directory) {
  writeStatus(out, toNfsStatus(error.code));
  writePostOp(out, attributesNow(file));
  writeWccAfterFailure(out, attributesNow(directory));
  return AcceptStat::Success;
}
}  // namespace

Task<AcceptStat> nfs3Link(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes fileHandle = readHandle(in);
  const Bytes directoryHandle = readHandle(in);
  const std::string_view name = readName(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> file = service.resolve(context, fileHandle), directory = service.resolve(context, directoryHandle);
  XdrWriter& out = reply.results();
  if (const auto allowed = checkLink(file, directory, name); !allowed) co_return failBoth(out, allowed.error(), file, directory);
  const Result<Change> linked = co_await file->vstorage->link(file->caller, file->inode.fileid, directory->inode.fileid, std::string(name));
  if (!linked) co_return failBoth(out, linked.error(), file, directory);
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, attributesNow(file));
  writeWcc(out, *linked);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
