// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
Result<void> checkRequest(const CreateRequest& request) {
  if (request.symlinkTarget.size() > symlinkBytesMax) return fail(ErrorCode::NameTooLong, "target of a symbolic link over 4096 bytes");
  if (request.symlinkTarget.empty() || request.symlinkTarget.find('\0') != std::string::npos)
    return fail(ErrorCode::InvalidArgument, "target of a symbolic link that is empty or has a zero byte");
  return checkNewName(request.name);
}
}  // namespace

Task<AcceptStat> nfs3Symlink(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  CreateRequest request;
  request.type = metadata::FileType::Symlink;
  request.name = readName(in);
  request.attributes = readSetAttributes(in, service.clock());
  request.attributes.size.reset();
  request.symlinkTarget = readName(in);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failWcc(out, target.error(), target);
  if (const auto allowed = checkRequest(request); !allowed) co_return failWcc(out, allowed.error(), target);
  request.directory = target->inode.fileid;
  const Result<Created> created = co_await target->vstorage->create(target->caller, std::move(request));
  if (!created) co_return failWcc(out, created.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writePostOpHandle(out, service.handleOf(created->inode));
  writePostOp(out, created->inode);
  writeWcc(out, created->directory);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
