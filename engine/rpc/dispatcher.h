// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a record into a reply: decodes the call, refuses what RFC 5531 lets a server refuse, asks the reply cache, runs the procedure.
//
// Threads: add() before the first call; handle() from any loop, many at once. Ownership: programs must outlive the dispatcher.
// Failure: Protocol from handle() for what is not a call: the connection is to be closed. An exception out of a procedure (memory ran out)
// is answered with SYSTEM_ERR.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/net/connection.h"
#include "engine/rpc/program.h"
#include "engine/rpc/reply_cache.h"

namespace quarry::rpc {

class Dispatcher : public net::RecordHandler {
 public:
  void add(Program& program) { m_programs.push_back(&program); }

  Task<Result<net::OutgoingRecord>> handle(const net::Peer& peer, net::Record record) override;
  size_t replyBytes(Bytes record) const override;

  uint64_t retransmissionCount() const { return m_retransmissionCount.load(std::memory_order_relaxed); }

 private:
  Program* find(uint32_t number) const;
  // The program, or null after writing why the call is refused.
  Program* choose(const Call& call, Reply& reply) const;
  Task<void> run(Program& program, const ProcedureInfo& info, const RequestContext& context, Bytes arguments, Reply& reply);
  Task<net::OutgoingRecord> runOnce(Program& program, const ProcedureInfo& info, const RequestContext& context, Bytes record);

  std::vector<Program*> m_programs;
  ReplyCache m_replyCache;
  std::atomic<uint64_t> m_retransmissionCount = 0;
};

}  // namespace quarry::rpc
