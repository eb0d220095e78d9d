// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>
#include <utility>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
constexpr uint32_t attachedBytesMin = 64 << 10;  // less is copied sooner than gathered
}

size_t nfs3ReadReplyBytes(XdrReader arguments) {
  readHandle(arguments);
  arguments.u64();
  return std::min(arguments.u32(), transferBytesMax);
}

Task<AcceptStat> nfs3Read(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  const uint64_t offset = std::min(in.u64(), fileBytesMax);  // nothing lies beyond: the same answer, without sums that overflow
  const uint32_t count = std::min(in.u32(), transferBytesMax);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  if (const auto allowed = checkRegular(target->inode); !allowed) co_return failPostOp(out, allowed.error(), target);
  Result<ReadReply> read = co_await target->vstorage->read(target->caller, target->inode.fileid, offset, count);
  if (!read) co_return failPostOp(out, read.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writePostOp(out, read->inode);
  out.u32(read->count);
  out.boolean(read->eof);
  if (!read->blocks.empty() && read->count < attachedBytesMin) {
    out.opaque(piecesOf(*read), read->count);
    co_return AcceptStat::Success;
  }
  const auto owner = std::make_shared<const ReadReply>(std::move(*read));
  reply.attachOpaque(owner, piecesOf(*owner));
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
