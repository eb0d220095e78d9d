// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/load_connection.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/net/record_marking.h"

namespace quarry::bench {

namespace {
constexpr size_t sendPiecesMax = 64;
constexpr size_t xidAt = net::recordMarkBytes;
constexpr size_t attributesBytes = 84, wccBytes = 24;

void storeBig32(std::byte* to, uint32_t value) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<std::byte>(value >> (24 - 8 * i));
}
void storeBig64(std::byte* to, uint64_t value) {
  storeBig32(to, static_cast<uint32_t>(value >> 32));
  storeBig32(to + 4, static_cast<uint32_t>(value));
}

// Half of it compresses to nothing, as in many a VM disk.
void fillHalfRandom(MutableBytes bytes, uint32_t seed) {
  std::mt19937_64 random(seed);
  for (size_t at = 0; at + 16 <= bytes.size(); at += 16) {
    storeLittle<uint64_t>(bytes.data() + at, random());
    storeLittle<uint64_t>(bytes.data() + at + 8, 0);
  }
}

void stamp(MutableBytes data, uint64_t offset, uint64_t number) {
  for (size_t at = 0; at + blockBytes <= data.size(); at += blockBytes) {
    storeLittle<uint64_t>(data.data() + at, offset + at);
    storeLittle<uint64_t>(data.data() + at + 8, number);
  }
}

bool wouldBlock() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }
}  // namespace

uint64_t OffsetSource::next() {
  const uint64_t count = m_load.fileBytes / m_load.requestBytes;
  if (m_load.order == Order::Random) return m_random() % count * m_load.requestBytes;
  if (m_load.order == Order::Sequential && m_next + m_load.requestBytes > m_load.fileBytes) m_next = 0;
  return std::exchange(m_next, m_next + m_load.requestBytes);
}

LoadConnection::LoadConnection(RpcSocket socket, const Load& load, OffsetSource& offsets)
    : m_socket(std::move(socket)), m_load(load), m_offsets(offsets), m_slots(load.depth) {
  for (uint32_t index = 0; index < load.depth; ++index) {
    prepare(m_slots[index], static_cast<uint32_t>(m_socket.descriptor()) << 8 | index);
    m_free.push_back(index);
  }
  m_latenciesUs.reserve(1 << 20);
}

void LoadConnection::prepare(Slot& slot, uint32_t seed) {
  rpc::XdrWriter call = beginCall(0, nfsProgram, m_load.writes ? NfsProcedure::Write : NfsProcedure::Read);
  call.opaque(m_load.fileHandle);
  m_offsetAt = call.size();
  call.u64(0);
  call.u32(m_load.requestBytes);
  if (m_load.writes) {
    call.u32(static_cast<uint32_t>(m_load.stability));
    call.u32(m_load.requestBytes);  // length of the data, which follows
    slot.data = AlignedBuffer(m_load.requestBytes);
    fillHalfRandom(slot.data.bytes(), seed);
  }
  slot.call = call.release();
  sealCall(slot.call, m_load.writes ? m_load.requestBytes : 0);
}

void LoadConnection::startRequests(SteadyTime now) {
  while (!m_free.empty() && m_offsets.hasNext()) {
    const uint32_t index = m_free.back();
    m_free.pop_back();
    Slot& slot = m_slots[index];
    slot.offset = m_offsets.next();
    slot.xid = ++m_callCount << 8 | index;
    slot.started = now;
    slot.isUnderWay = true;
    storeBig32(slot.call.data() + xidAt, slot.xid);
    storeBig64(slot.call.data() + m_offsetAt, slot.offset);
    m_unsent.push_back(slot.call);
    if (!m_load.writes) continue;
    stamp(slot.data.bytes(), slot.offset, slot.xid);
    m_unsent.push_back(slot.data.bytes());
  }
}

Result<void> LoadConnection::send() {
  while (!m_unsent.empty()) {
    std::array<iovec, sendPiecesMax> pieces;
    const size_t count = std::min(m_unsent.size(), pieces.size());
    for (size_t i = 0; i < count; ++i) pieces[i] = {const_cast<std::byte*>(m_unsent[i].data()), m_unsent[i].size()};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = count;
    const ssize_t sent = ::sendmsg(descriptor(), &message, MSG_NOSIGNAL);
    if (sent < 0 && wouldBlock()) return {};
    if (sent < 0) return fail(failed(std::string("sending: ") + std::strerror(errno)));
    for (size_t left = static_cast<size_t>(sent); left > 0;) {
      const size_t taken = std::min(left, m_unsent.front().size());
      m_unsent.front() = m_unsent.front().subspan(taken);
      if (m_unsent.front().empty()) m_unsent.pop_front();
      left -= taken;
    }
  }
  return {};
}

Result<void> LoadConnection::receive(MutableBytes space) {
  const ssize_t got = ::recv(descriptor(), space.data(), space.size(), 0);
  if (got < 0 && wouldBlock()) return {};
  if (got <= 0) return fail(failed("the server closed the connection"));
  return consume(space.first(static_cast<size_t>(got)), std::chrono::steady_clock::now());
}

Result<void> LoadConnection::consume(Bytes bytes, SteadyTime now) {
  while (!bytes.empty()) {
    if (m_markSize < m_mark.size()) {
      m_mark[m_markSize++] = bytes.front();
      bytes = bytes.subspan(1);
      if (m_markSize < m_mark.size()) continue;
      const uint32_t word = rpc::XdrReader(m_mark).u32();
      m_replySize = m_replyLeft = word & 0x7fffffffu;
      m_headSize = 0;
      if ((word & 0x80000000u) == 0 || m_replySize == 0) return fail(failed("a reply in several fragments"));
      continue;
    }
    const Bytes part = bytes.first(std::min(bytes.size(), m_replyLeft));
    const size_t kept = std::min(part.size(), m_head.size() - m_headSize);
    std::memcpy(m_head.data() + m_headSize, part.data(), kept);
    m_headSize += kept;
    m_replyLeft -= part.size();
    bytes = bytes.subspan(part.size());
    if (m_replyLeft > 0) continue;
    m_markSize = 0;
    if (auto finished = finish(now); !finished) return finished;
  }
  return {};
}

Result<void> LoadConnection::finish(SteadyTime now) {
  rpc::XdrReader in(Bytes(m_head).first(m_headSize));
  uint32_t xid = 0;
  if (!readReplyHeader(in, xid)) return fail(failed("the server did not accept the call"));
  const uint32_t index = xid & (depthMax - 1);
  if (index >= m_slots.size() || !m_slots[index].isUnderWay || m_slots[index].xid != xid) return fail(failed("a reply to nothing"));
  Slot& slot = m_slots[index];
  if (const uint32_t status = in.u32(); status != 0) return fail(failed("status " + std::to_string(status)));
  const std::string fault = m_load.writes ? faultOfWrite(in) : faultOfRead(in, slot);
  if (!fault.empty()) return fail(failed(fault));
  slot.isUnderWay = false;
  m_free.push_back(index);
  m_latenciesUs.push_back(static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::microseconds>(now - slot.started).count()));
  return {};
}

std::string LoadConnection::faultOfRead(rpc::XdrReader& in, const Slot& slot) const {
  if (in.boolean()) in.fixedOpaque(attributesBytes);
  const uint32_t count = in.u32();
  in.boolean();  // end of file
  const uint32_t length = in.u32();
  if (!in.ok() || count != m_load.requestBytes || length != count) return "not as many bytes as asked for";
  if (m_replySize != in.position() + length) return "a reply of the wrong length";
  if (m_load.checksData && loadLittle<uint64_t>(in.rest().data()) != slot.offset) return "bytes of another place than " + std::to_string(slot.offset);
  return {};
}

std::string LoadConnection::faultOfWrite(rpc::XdrReader& in) const {
  if (in.boolean()) in.fixedOpaque(wccBytes);
  if (in.boolean()) in.fixedOpaque(attributesBytes);
  const uint32_t count = in.u32(), committed = in.u32();
  if (!in.ok() || count != m_load.requestBytes) return "not as many bytes as were sent";
  return committed < static_cast<uint32_t>(m_load.stability) ? "less stable than asked for" : "";
}

}  // namespace quarry::bench
