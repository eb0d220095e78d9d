// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
bool isDevice(metadata::FileType type) { return type == metadata::FileType::BlockDevice || type == metadata::FileType::CharacterDevice; }
bool isNode(metadata::FileType type) { return isDevice(type) || type == metadata::FileType::Socket || type == metadata::FileType::Fifo; }

// The union after the type; nothing for types that MKNOD does not make.
void readNode(XdrReader& in, const Clock& clock, CreateRequest& request) {
  if (!isNode(request.type)) return;
  request.attributes = readSetAttributes(in, clock);
  request.attributes.size.reset();
  if (!isDevice(request.type)) return;
  request.deviceMajor = in.u32();
  request.deviceMinor = in.u32();
}
}  // namespace

Task<AcceptStat> nfs3MkNod(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  CreateRequest request;
  request.name = readName(in);
  request.type = static_cast<metadata::FileType>(in.u32());
  readNode(in, service.clock(), request);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failWcc(out, target.error(), target);
  if (!isNode(request.type)) {
    writeStatus(out, Nfsstat3::BadType);
    writeWccAfterFailure(out, attributesNow(target));
    co_return AcceptStat::Success;
  }
  if (const auto allowed = checkNewName(request.name); !allowed) co_return failWcc(out, allowed.error(), target);
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
