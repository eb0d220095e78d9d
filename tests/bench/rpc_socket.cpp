// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/rpc_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "engine/net/record_marking.h"
#include "engine/rpc/rpc_message.h"

namespace quarry::bench {

namespace {
constexpr uint32_t version3 = 3;

bool readAll(int descriptor, MutableBytes bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::recv(descriptor, bytes.data(), bytes.size(), 0);
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(got));
  }
  return true;
}

bool writeAll(int descriptor, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return true;
}
}  // namespace

rpc::XdrWriter beginCall(uint32_t xid, uint32_t program, uint32_t procedure) {
  rpc::XdrWriter credential;
  credential.u32(0);
  credential.string("bench");
  for (int word = 0; word < 3; ++word) credential.u32(0);  // uid, gid, no further groups
  rpc::XdrWriter call;
  call.zeros(net::recordMarkBytes);
  for (const uint32_t word : {xid, 0u, rpc::rpcVersion, program, version3, procedure, static_cast<uint32_t>(rpc::AuthFlavor::Sys)}) call.u32(word);
  call.opaque(credential.bytes());
  call.u64(0);  // verifier: AUTH_NONE, empty
  return call;
}

void sealCall(std::vector<std::byte>& call, size_t attachedBytes) {
  const auto mark = net::recordMark(call.size() - net::recordMarkBytes + attachedBytes);
  std::memcpy(call.data(), mark.data(), mark.size());
}

bool readReplyHeader(rpc::XdrReader& in, uint32_t& xid) {
  xid = in.u32();
  const bool isReply = in.u32() == 1, isAccepted = in.u32() == 0;
  in.u32();  // flavour of the verifier
  in.opaque(rpc::authBodyMax);
  return in.u32() == static_cast<uint32_t>(rpc::AcceptStat::Success) && isReply && isAccepted && in.ok();
}

Result<RpcSocket> RpcSocket::connect(const Endpoint& endpoint) {
  RpcSocket made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint.port);
  if (inet_pton(AF_INET, endpoint.host.c_str(), &address.sin_addr) != 1) return fail(ErrorCode::InvalidArgument, endpoint.host + " is no IPv4 address");
  if (::connect(made.m_descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return fail(ErrorCode::IoError, endpoint.host + " port " + std::to_string(endpoint.port) + ": " + std::strerror(errno));
  const int on = 1;
  setsockopt(made.m_descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return made;
}

RpcSocket::~RpcSocket() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<std::vector<std::byte>> RpcSocket::receiveRecord() {
  std::vector<std::byte> record;
  for (bool isLast = false; !isLast;) {
    std::array<std::byte, net::recordMarkBytes> mark;
    if (!readAll(m_descriptor, mark)) return fail(ErrorCode::Disconnected, "the server closed the connection");
    const uint32_t word = rpc::XdrReader(mark).u32();
    isLast = (word & 0x80000000u) != 0;
    const size_t at = record.size(), length = word & 0x7fffffffu;
    if (at + length > net::recordBytesMax) return fail(ErrorCode::Protocol, "the reply is too long");
    record.resize(at + length);
    if (!readAll(m_descriptor, MutableBytes(record).subspan(at))) return fail(ErrorCode::Disconnected, "the reply ends early");
  }
  return record;
}

Result<std::vector<std::byte>> RpcSocket::call(rpc::XdrWriter call, const std::string& what) {
  std::vector<std::byte> bytes = call.release();
  sealCall(bytes);
  if (!writeAll(m_descriptor, bytes)) return fail(ErrorCode::Disconnected, what + ": the server closed the connection");
  const auto record = receiveRecord();
  if (!record) return fail(record.error().code, what + ": " + record.error().message);
  rpc::XdrReader in(*record);
  uint32_t xid = 0;
  if (!readReplyHeader(in, xid)) return fail(ErrorCode::Protocol, what + ": the server did not accept the call");
  if (const uint32_t status = in.u32(); status != 0 || !in.ok()) return fail(ErrorCode::IoError, what + ": status " + std::to_string(status));
  return std::vector(in.rest().begin(), in.rest().end());
}

}  // namespace quarry::bench
