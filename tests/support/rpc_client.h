// SPDX-License-Identifier: GPL-3.0-or-later
// A small blocking RPC client over TCP for tests: sends calls, also raw bytes and fragments, and reads replies. REQUIRES: a server that
// answers; a test that waits for a reply that never comes is ended by CTest's time limit.
#pragma once

#include <asio/connect.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/net/record_marking.h"
#include "engine/rpc/xdr.h"

namespace quarry::test {

using ByteVector = std::vector<std::byte>;

struct TestCredential {
  uint32_t uid = 0, gid = 0;
  std::vector<uint32_t> groups;
};

struct CallTarget {
  uint32_t program = 0, version = 3, procedure = 0;
  uint32_t rpcVersion = 2;
};

// A whole call without its record mark.
inline ByteVector encodeCall(uint32_t xid, const CallTarget& target, const TestCredential& credential, Bytes arguments) {
  rpc::XdrWriter auth;
  auth.u32(7);  // stamp
  auth.string("test");
  auth.u32(credential.uid);
  auth.u32(credential.gid);
  auth.u32(static_cast<uint32_t>(credential.groups.size()));
  for (uint32_t group : credential.groups) auth.u32(group);
  rpc::XdrWriter call;
  for (uint32_t word : {xid, 0u, target.rpcVersion, target.program, target.version, target.procedure, 1u}) call.u32(word);
  call.opaque(auth.bytes());
  call.u32(0);
  call.u32(0);
  ByteVector bytes = call.release();
  bytes.insert(bytes.end(), arguments.begin(), arguments.end());
  return bytes;
}

inline ByteVector marked(Bytes record) {
  const auto mark = net::recordMark(record.size());
  ByteVector bytes(mark.begin(), mark.end());
  bytes.insert(bytes.end(), record.begin(), record.end());
  return bytes;
}

// A reply taken apart as far as RPC goes. `results` are there when accepted with stat 0 (or 2: low and high).
struct TestReply {
  uint32_t xid = 0;
  bool denied = false;
  uint32_t stat = 0;        // accept_stat, or reject_stat when denied
  ByteVector results;
};

inline std::optional<TestReply> decodeReply(const ByteVector& record) {
  rpc::XdrReader in{Bytes(record)};
  TestReply reply;
  reply.xid = in.u32();
  if (in.u32() != 1) return std::nullopt;
  reply.denied = in.u32() == 1;
  if (!reply.denied) {
    in.u32();
    in.opaque(400);
  }
  reply.stat = in.u32();
  if (!in.ok()) return std::nullopt;
  const Bytes rest = in.rest();
  reply.results.assign(rest.begin(), rest.end());
  return reply;
}

class RpcClient {
 public:
  // `from`: any address of 127.0.0.0/8, to be several hosts.
  explicit RpcClient(uint16_t port, const char* from = "127.0.0.1") : m_socket(m_context) {
    m_socket.open(asio::ip::tcp::v4());
    m_socket.bind({asio::ip::make_address(from), 0});
    m_socket.connect({asio::ip::make_address("127.0.0.1"), port});
    m_socket.set_option(asio::ip::tcp::no_delay(true));
  }

  void sendRaw(Bytes bytes) { asio::write(m_socket, asio::buffer(bytes.data(), bytes.size())); }
  void sendRecord(Bytes record) { sendRaw(marked(record)); }
  void shutdownSend() { m_socket.shutdown(asio::ip::tcp::socket::shutdown_send); }

  // The next record; none when the server closed the connection.
  std::optional<ByteVector> receiveRecord() {
    ByteVector record;
    while (true) {
      std::array<std::byte, 4> mark{};
      if (!receive(mark)) return std::nullopt;
      rpc::XdrReader in{Bytes(mark)};
      const uint32_t word = in.u32();
      const size_t at = record.size();
      record.resize(at + (word & 0x7fffffffu));
      if (!receive({record.data() + at, record.size() - at})) return std::nullopt;
      if (word & 0x80000000u) return record;
    }
  }
  std::optional<TestReply> receiveReply() {
    const auto record = receiveRecord();
    return record ? decodeReply(*record) : std::nullopt;
  }

  // One call and its reply.
  std::optional<TestReply> call(const CallTarget& target, Bytes arguments = {}, std::optional<uint32_t> xid = {}) {
    sendRecord(encodeCall(xid.value_or(nextXid()), target, credential, arguments));
    return receiveReply();
  }

  uint32_t nextXid() { return ++m_xid; }
  asio::ip::tcp::socket& socket() { return m_socket; }

  TestCredential credential;

 private:
  bool receive(MutableBytes into) {
    asio::error_code error;
    asio::read(m_socket, asio::buffer(into.data(), into.size()), error);
    return !error;
  }

  asio::io_context m_context;
  asio::ip::tcp::socket m_socket;
  uint32_t m_xid = 100;
};

}  // namespace quarry::test
