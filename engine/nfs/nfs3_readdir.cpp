// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_directory_reply.h"
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3ReadDir(NfsService& service, const RequestContext& context, XdrReader& in, Reply& reply) {
  const Bytes handle = readHandle(in);
  DirectoryQuery query;
  query.cookie = in.u64();
  in.u64();  // the cookie verifier: cookies stay valid for ever, so any will do
  query.resultBytesMax = in.u32();
  if (!in.ok()) co_return AcceptStat::GarbageArgs;
  co_return replyDirectory(service, service.resolve(context, handle), query, DirectoryDetail::Names, reply);
}

}  // namespace quarry::nfs
