// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_directory_reply.h"
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3ReadDirPlus(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  DirectoryQuery query;
  query.cookie = in.u64();
  in.u64();  // the cookie verifier: cookies stay valid for ever, so any will do
  query.nameBytesMax = in.u32();
  query.resultBytesMax = in.u32();
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  const Result<Target> target = service.resolve(context, handle);
  XdrWriter& out = reply.results();
  if (!target) co_return failPostOp(out, target.error(), target);
  const DirectoryDetail detail = DirectoryDetail::NamesAndHandles;
  const size_t start = reply.headBytes();
  const Result<void> written = writeDirectory(service, *target, query, detail, out);
  if (written) co_return AcceptStat::Success;
  reply.rewind(start);
  co_return failPostOp(out, written.error(), target);
}

}  // namespace quarry::nfs
