// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/dispatcher.h"

#include <exception>
#include <memory>
#include <utility>

#include "engine/base/checksum.h"
#include "engine/base/log.h"

namespace quarry::rpc {

Program* Dispatcher::find(uint32_t number) const {
  for (Program* program : m_programs)
    if (program->number() == number) return program;
  return nullptr;
}

Program* Dispatcher::choose(const Call& call, Reply& reply) const {
  if (call.version != rpcVersion) {
    writeRpcMismatch(reply.results(), call.xid);
    return nullptr;
  }
  if (call.refusal) {
    writeAuthError(reply.results(), call.xid, *call.refusal);
    return nullptr;
  }
  Program* program = find(call.program);
  if (!program) {
    writeAccepted(reply.results(), call.xid, AcceptStat::ProgramUnavailable);
  } else if (program->version() != call.programVersion) {
    writeProgramMismatch(reply.results(), call.xid, program->version(), program->version());
    program = nullptr;
  }
  return program;
}

size_t Dispatcher::replyBytes(Bytes record) const {
  XdrReader in(record);
  in.fixedOpaque(12);  // xid, message type, RPC version
  const uint32_t number = in.u32(), version = in.u32(), procedure = in.u32();
  const Program* const program = find(number);
  if (!program || program->version() != version) return 0;
  const ProcedureInfo* const info = program->find(procedure);
  if (!info || !info->replyBytes) return 0;
  for (int i = 0; i < 2; ++i) {  // credential and verifier
    in.u32();
    in.opaque(authBodyMax);
  }
  return info->replyBytes(in);
}

Task<Result<net::OutgoingRecord>> Dispatcher::handle(const net::Peer& peer, net::Record record) {
  const Result<Call> call = decodeCall(record.bytes());
  if (!call) co_return fail(call.error());
  Reply reply;
  Program* const program = choose(*call, reply);
  if (!program) co_return reply.release();
  const ProcedureInfo* const info = program->find(call->procedure);
  if (!info) {
    writeAccepted(reply.results(), call->xid, AcceptStat::ProcedureUnavailable);
    co_return reply.release();
  }
  const RequestContext context{peer, *call};
  if (info->traits & ReplyCached) co_return co_await runOnce(*program, *info, context, record.bytes());
  co_await run(*program, *info, context, record.bytes().subspan(call->argumentsAt), reply);
  co_return reply.release();
}

// Writes the whole reply, header included.
Task<void> Dispatcher::run(Program& program, const ProcedureInfo& info, const RequestContext& context, Bytes arguments, Reply& reply) {
  const size_t start = reply.headBytes();
  writeAccepted(reply.results(), context.call.xid, AcceptStat::Success);
  XdrReader in(arguments);
  AcceptStat stat = AcceptStat::SystemError;
  try {
    stat = co_await program.run(info, context, in, reply);
  } catch (const std::exception& exception) {
    log("rpc").error("{} of {}: {}", info.name, context.peer.address, exception.what());
  }
  if (stat == AcceptStat::Success) co_return;
  reply.rewind(start);
  writeAccepted(reply.results(), context.call.xid, stat);
}

Task<net::OutgoingRecord> Dispatcher::runOnce(Program& program, const ProcedureInfo& info, const RequestContext& context, Bytes record) {
  const CallKey key{context.peer.address, context.call.xid, checksum(record)};
  if (const CachedReply cached = co_await m_replyCache.begin(key)) {
    m_retransmissionCount.fetch_add(1, std::memory_order_relaxed);
    co_return net::OutgoingRecord{*cached, {}, {}, 0};
  }
  Reply reply;
  co_await run(program, info, context, record.subspan(context.call.argumentsAt), reply);
  net::OutgoingRecord done = reply.release();
  m_replyCache.finish(key, std::make_shared<const std::vector<std::byte>>(done.head));
  co_return done;
}

}  // namespace quarry::rpc
