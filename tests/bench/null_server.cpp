// SPDX-License-Identifier: GPL-3.0-or-later
// null_server: what RPC alone allows. It answers MOUNT, LOOKUP, CREATE, GETATTR, READ, WRITE and COMMIT of NFSv3 with constants and stores
// nothing, on the engine's own connections and loops, so that what the engine reaches of its figures is the share that storage leaves.
//   null_server [--dispatcher] [--threads N]     prints "ready nfs=127.0.0.1:PORT", then runs until it is ended
// As it is, a reply is one copy of a prepared one; with --dispatcher, calls take the engine's way through engine/rpc.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "engine/net/listener.h"
#include "engine/rpc/dispatcher.h"

using namespace quarry;

namespace {
constexpr uint32_t nfsProgram = 100003, mountProgram = 100005;
constexpr uint32_t mountMount = 1;
enum NfsProcedure : uint32_t { GetAttributes = 1, Lookup = 3, Read = 6, Write = 7, Create = 8, Commit = 21, ProcedureCount = 22 };
constexpr size_t handleBytes = 32, handleBytesMax = 64, attributesBytes = 84;
constexpr uint32_t fileSync = 2;

void writeAttributes(rpc::XdrWriter& out) {
  rpc::XdrWriter attributes;
  attributes.u32(1);  // a regular file
  attributes.zeros(attributesBytes - attributes.size());
  out.fixedOpaque(attributes.bytes());
}

void writePostOp(rpc::XdrWriter& out) {
  out.boolean(true);
  writeAttributes(out);
}

void writeWcc(rpc::XdrWriter& out) {
  out.boolean(false);
  writePostOp(out);
}

void writeHandle(rpc::XdrWriter& out) {
  const std::array<std::byte, handleBytes> handle{};
  out.opaque(handle);
}

// The results of a READ up to its data, or of a WRITE.
void writeReadHead(rpc::XdrWriter& out, uint32_t count) {
  out.u32(0);
  writePostOp(out);
  out.u32(count);
  out.boolean(false);
}

void writeWritten(rpc::XdrWriter& out, uint32_t count) {
  out.u32(0);
  writeWcc(out);
  out.u32(count);
  out.u32(fileSync);
  out.u64(0);
}

uint32_t countArgument(rpc::XdrReader& in) {
  in.opaque(handleBytesMax);
  in.u64();
  return std::min(in.u32(), static_cast<uint32_t>(net::payloadBytesMax));
}

// Everything but READ. False: unknown.
bool writeResults(uint32_t program, uint32_t procedure, rpc::XdrReader& in, rpc::XdrWriter& out) {
  if (procedure == 0) return true;
  if (program == mountProgram) {
    if (procedure != mountMount) return false;
    out.u32(0);
    writeHandle(out);
    out.u32(1);
    out.u32(static_cast<uint32_t>(rpc::AuthFlavor::Sys));
    return true;
  }
  if (procedure == NfsProcedure::Write) {
    writeWritten(out, countArgument(in));
    return true;
  }
  out.u32(0);
  switch (procedure) {
    case NfsProcedure::GetAttributes: writeAttributes(out); return true;
    case NfsProcedure::Lookup: writeHandle(out); out.u64(0); return true;  // no attributes
    case NfsProcedure::Create: out.boolean(true); writeHandle(out); writePostOp(out); writeWcc(out); return true;
    case NfsProcedure::Commit: writeWcc(out); out.u64(0); return true;
    default: return false;
  }
}

const std::vector<std::byte>& constantData() {
  static const std::vector<std::byte> data(net::payloadBytesMax, std::byte{0x5a});
  return data;
}

// Decodes no more than it must and copies a prepared reply.
class PreparedAnswers : public net::RecordHandler {
 public:
  PreparedAnswers() {
    rpc::XdrWriter out;
    out.zeros(net::recordMarkBytes);
    rpc::writeAccepted(out, 0, rpc::AcceptStat::Success);
    writeReadHead(out, preparedBytes);
    m_countAt = out.size() - 8;  // before "end of file"
    out.opaque(Bytes(constantData()).first(preparedBytes));
    m_read = out.release();
  }

  Task<Result<net::OutgoingRecord>> handle(const net::Peer&, net::Record record) override {
    rpc::XdrReader in(record.bytes());
    const uint32_t xid = in.u32();
    in.u64();  // a call, RPC version 2
    const uint32_t program = in.u32();
    in.u32();
    const uint32_t procedure = in.u32();
    for (int part = 0; part < 2; ++part) {  // credential and verifier
      in.u32();
      in.opaque(rpc::authBodyMax);
    }
    net::OutgoingRecord reply;
    if (program == nfsProgram && procedure == NfsProcedure::Read) {
      const uint32_t count = countArgument(in);
      if (!in.ok()) co_return fail(ErrorCode::Protocol, "not a call");
      reply = readReply(xid, count);
    } else {
      rpc::XdrWriter out;
      out.zeros(net::recordMarkBytes);
      rpc::writeAccepted(out, xid, rpc::AcceptStat::Success);
      if (!writeResults(program, procedure, in, out) || !in.ok()) co_return fail(ErrorCode::NotSupported, "a call that has no constant answer");
      reply.head = out.release();
    }
    co_return reply;
  }

 private:
  static constexpr uint32_t preparedBytes = 4096;

  net::OutgoingRecord readReply(uint32_t xid, uint32_t count) const {
    net::OutgoingRecord reply;
    if (count == preparedBytes) {
      reply.head = m_read;
    } else {
      reply.head.assign(m_read.begin(), m_read.begin() + static_cast<std::ptrdiff_t>(m_countAt + 12));  // count, end of file, length
      storeBig(reply.head.data() + m_countAt, count);
      storeBig(reply.head.data() + m_countAt + 8, count);
      reply.body.push_back(Bytes(constantData()).first(count));
      reply.bodyBytes = count;
    }
    storeBig(reply.head.data() + net::recordMarkBytes, xid);
    return reply;
  }

  static void storeBig(std::byte* to, uint32_t value) {
    value = __builtin_bswap32(value);
    std::memcpy(to, &value, sizeof value);
  }

  std::vector<std::byte> m_read;  // a whole reply, room for the mark included
  size_t m_countAt = 0;
};

// The same answers as programs of the engine's dispatcher.
class ConstantProgram : public rpc::Program {
 public:
  explicit ConstantProgram(uint32_t number) : m_number(number) {
    for (uint32_t i = 0; i < m_infos.size(); ++i) m_infos[i].procedure = i;
  }

  uint32_t number() const override { return m_number; }
  uint32_t version() const override { return 3; }
  const rpc::ProcedureInfo* find(uint32_t procedure) const override { return procedure < m_infos.size() ? &m_infos[procedure] : nullptr; }

  Task<rpc::AcceptStat> run(const rpc::ProcedureInfo& info, const rpc::RequestContext&, rpc::XdrReader& in, rpc::Reply& reply) override {
    rpc::XdrWriter& out = reply.results();
    if (m_number == nfsProgram && info.procedure == NfsProcedure::Read) {
      const uint32_t count = countArgument(in);
      if (!in.ok()) co_return rpc::AcceptStat::GarbageArgs;
      writeReadHead(out, count);
      const Bytes data = Bytes(constantData()).first(count);
      if (count < attachedBytesMin) out.opaque(data);
      else reply.attachOpaque(nullptr, {data});
      co_return rpc::AcceptStat::Success;
    }
    co_return writeResults(m_number, info.procedure, in, out) ? rpc::AcceptStat::Success : rpc::AcceptStat::ProcedureUnavailable;
  }

 private:
  static constexpr uint32_t attachedBytesMin = 64 << 10;  // as in the engine

  const uint32_t m_number;
  std::array<rpc::ProcedureInfo, NfsProcedure::ProcedureCount> m_infos{};
};

int serve(net::RecordHandler& handler, size_t threads) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // before the loops start: they inherit it
  net::LoopPool loops(threads == 0 ? net::LoopPool::loopCountDefault() : threads);
  net::Listener listener(loops, handler);
  const auto port = listener.start({.address = "127.0.0.1"});
  if (!port) {
    std::fprintf(stderr, "null_server: %s\n", port.error().message.c_str());
    return 1;
  }
  std::printf("ready nfs=127.0.0.1:%u \n", static_cast<unsigned>(*port));
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  listener.stop(std::chrono::seconds(1));
  loops.stop();
  return 0;
}
}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"An NFS server that does nothing"};
  bool usesDispatcher = false;
  size_t threads = 0;
  app.add_flag("--dispatcher", usesDispatcher, "Take the engine's way through its RPC dispatcher");
  app.add_option("--threads", threads, "Network threads; 0: one for each core")->capture_default_str()->check(CLI::Range(0, 64));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  constantData();
  PreparedAnswers prepared;
  ConstantProgram nfs(nfsProgram), mount(mountProgram);
  rpc::Dispatcher dispatcher;
  dispatcher.add(nfs);
  dispatcher.add(mount);
  return serve(usesDispatcher ? static_cast<net::RecordHandler&>(dispatcher) : prepared, threads);
}
