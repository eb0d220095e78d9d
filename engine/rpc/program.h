// SPDX-License-Identifier: GPL-3.0-or-later
// An RPC program: its number, its one version, and a table from procedure number to handler. A handler decodes its arguments, acts, and
// writes its results; whatever it wrote is dropped unless it returns Success.
//
// Threads: handlers run on any loop, many at once. Ownership: the tables are static; the service must outlive the program.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/base/async.h"
#include "engine/rpc/reply.h"
#include "engine/rpc/request_context.h"
#include "engine/rpc/xdr.h"

namespace quarry::rpc {

enum ProcedureTrait : uint32_t {
  NoTrait = 0,
  ReplyCached = 1,  // must not run twice for one call: retransmissions are answered by the reply cache
};

struct ProcedureInfo {
  uint32_t procedure = 0;
  std::string_view name;
  uint32_t traits = NoTrait;
  size_t (*replyBytes)(XdrReader arguments) = nullptr;  // of data that the reply may carry; null: too little to count
};

class Program {
 public:
  virtual ~Program() = default;
  virtual uint32_t number() const = 0;
  virtual uint32_t version() const = 0;
  virtual const ProcedureInfo* find(uint32_t procedure) const = 0;  // null: unavailable
  // `info` is one that find() gave. Context, reader and reply outlive the task.
  virtual Task<AcceptStat> run(const ProcedureInfo& info, const RequestContext& context, XdrReader& in, Reply& reply) = 0;
};

// One row of a program's table.
template <class Service>
struct Procedure : ProcedureInfo {
  Task<AcceptStat> (*handle)(Service& service, const RequestContext& context, XdrReader& in, Reply& reply) = nullptr;
};

// A Program over a table whose row i is procedure i.
template <class Service>
class TableProgram : public Program {
 public:
  TableProgram(uint32_t number, uint32_t version, std::span<const Procedure<Service>> table, Service& service)
      : m_number(number), m_version(version), m_table(table), m_service(service) {}

  uint32_t number() const override { return m_number; }
  uint32_t version() const override { return m_version; }
  const ProcedureInfo* find(uint32_t procedure) const override { return procedure < m_table.size() ? &m_table[procedure] : nullptr; }
  Task<AcceptStat> run(const ProcedureInfo& info, const RequestContext& context, XdrReader& in, Reply& reply) override {
    return m_table[info.procedure].handle(m_service, context, in, reply);
  }

 private:
  const uint32_t m_number, m_version;
  const std::span<const Procedure<Service>> m_table;
  Service& m_service;
};

}  // namespace quarry::rpc
