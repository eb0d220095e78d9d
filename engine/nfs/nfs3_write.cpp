// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
std::optional<Stability> readStability(XdrReader& in) {
  switch (in.u32()) {
    case 0: return Stability::Unstable;
    case 1: return Stability::DataSync;
    case 2: return Stability::FileSync;
    default: in.setFailed(); return std::nullopt;
  }
}

Result<void> checkRange(const Inode& inode, uint64_t offset, uint32_t count, size_t dataBytes) {
  if (count != dataBytes) return fail(ErrorCode::InvalidArgument, "WRITE of a count that is not the length of its data");
  if (offset > fileBytesMax || count > fileBytesMax - offset) return fail(ErrorCode::FileTooBig, "no file may be larger than 64 TiB");
  return checkRegular(inode);
}
}  // namespace

Task<AcceptStat> nfs3Write(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  const uint64_t offset = in.u64();
  const uint32_t count = in.u32();
  const std::optional<Stability> stability = readStability(in);
  const Bytes data = in.opaque(transferBytesMax);
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failWcc(out, target.error(), target);
  if (const auto allowed = checkRange(target->inode, offset, count, data.size()); !allowed) co_return failWcc(out, allowed.error(), target);
  const WriteRequest request{.fileid = target->inode.fileid, .offset = offset, .data = data, .stability = *stability};
  const Result<WriteReply> written = co_await target->vstorage->write(target->caller, request);
  if (!written) co_return failWcc(out, written.error(), target);
  writeStatus(out, Nfsstat3::Ok);
  writeWcc(out, written->change);
  out.u32(written->count);
  out.u32(static_cast<uint32_t>(written->reached));
  out.u64(target->vstorage->writeVerifier());
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
