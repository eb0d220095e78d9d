// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
CreateRequest readRequest(XdrReader& in, const Clock& clock) {
  CreateRequest request;
  request.name = readName(in);
  switch (in.u32()) {
    case 0: request.createMode = metadata::CreateMode::Unchecked; break;
    case 1: request.createMode = metadata::CreateMode::Guarded; break;
    case 2: request.createMode = metadata::CreateMode::Exclusive; break;
    default: in.setFailed(); break;
  }
  if (request.createMode != metadata::CreateMode::Exclusive) {
    request.attributes = readSetAttributes(in, clock);
    return request;
  }
  const Bytes verifier = in.fixedOpaque(8);
  std::copy(verifier.begin(), verifier.end(), request.verifier.emplace().begin());
  return request;
}

Result<void> checkRequest(const CreateRequest& request) {
  if (request.attributes.size.value_or(0) > fileBytesMax) return fail(ErrorCode::FileTooBig, "no file may be larger than 64 TiB");
  return checkNewName(request.name);
}

// UNCHECKED met a file that was there: of the attributes only the size counts, as with open(O_CREAT | O_TRUNC).
Task<Result<Inode>> reuse(const Target& target, const Inode& existing, std::optional<uint64_t> size) {
  if (existing.type != metadata::FileType::Regular) co_return fail(ErrorCode::Exists, "something else has this name");
  if (!size) co_return existing;
  metadata::AttributeChange change;
  change.size = size;
  Result<Change> changed = co_await target.vstorage->setAttributes(target.caller, existing.fileid, std::move(change));
  if (!changed) co_return fail(changed.error());
  co_return changed->after;
}
}  // namespace

Task<AcceptStat> nfs3Create(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  CreateRequest request = readRequest(in, service.clock());
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failWcc(out, target.error(), target);
  if (const auto allowed = checkRequest(request); !allowed) co_return failWcc(out, allowed.error(), target);
  request.directory = target->inode.fileid;
  const metadata::CreateMode mode = request.createMode;
  const std::optional<uint64_t> size = request.attributes.size;
  Result<Created> created = co_await target->vstorage->create(target->caller, std::move(request));
  if (created && !created->isNew && mode == metadata::CreateMode::Unchecked) {
    const Result<Inode> reused = co_await reuse(*target, created->inode, size);
    if (!reused) co_return failWcc(out, reused.error(), target);
    created->inode = *reused;
  }
  if (!created) co_return failWcc(out, created.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writePostOpHandle(out, service.handleOf(created->inode));
  writePostOp(out, created->inode);
  writeWcc(out, created->directory);
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
