// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/connection.h"

#include <algorithm>
#include <array>
#include <asio/buffer.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/log.h"
#include "engine/base/spawn.h"

namespace quarry::net {

namespace {
constexpr size_t buffersPerSend = 64;  // what Asio hands to one writev()
constexpr std::chrono::milliseconds sharedRoomPoll{10};  // other connections, on other loops, make the room
constexpr std::array<std::byte, 3> padding{};

size_t paddingOf(size_t bodyBytes) { return (4 - bodyBytes % 4) % 4; }
size_t wireBytes(const OutgoingRecord& record) { return record.head.size() + record.bodyBytes + paddingOf(record.bodyBytes); }

// Appends what is left of a piece after the first `skip` bytes of the record; reduces `skip` by the piece.
void addPiece(std::vector<asio::const_buffer>& buffers, Bytes piece, size_t& skip) {
  if (skip >= piece.size()) {
    skip -= piece.size();
    return;
  }
  buffers.emplace_back(piece.data() + skip, piece.size() - skip);
  skip = 0;
}
}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, Peer peer, RecordHandler& handler, std::shared_ptr<ConnectionCounters> counters)
    : m_socket(std::move(socket)), m_peer(std::move(peer)), m_handler(handler), m_counters(std::move(counters)),
      m_room(m_socket.get_executor(), asio::steady_timer::time_point::max()), m_lastHeard(std::chrono::steady_clock::now()) {
  m_counters->connectionCount.fetch_add(1, std::memory_order_relaxed);
}

Connection::~Connection() { close(); }

void Connection::start() {
  m_reading = true;
  spawn(m_socket.get_executor(), readLoop(shared_from_this()));
}

void Connection::finish() {
  m_finishing = true;
  asio::error_code ignored;
  m_socket.shutdown(asio::ip::tcp::socket::shutdown_receive, ignored);
  wakeReader();
  closeIfDone();
}

void Connection::close() {
  if (m_closed.exchange(true)) return;
  m_counters->connectionCount.fetch_sub(1, std::memory_order_relaxed);
  m_counters->repliesWaiting.fetch_sub(m_queue.size());
  for (const OutgoingRecord& record : m_queue) release(wireBytes(record));
  asio::error_code ignored;
  m_socket.close(ignored);
  wakeReader();
}

void Connection::closeFor(const Error& error) {
  if (m_counters->warnings.allows(m_peer.address)) log("net").warn("{}:{}: {}; closing its connection", m_peer.address, m_peer.port, error.message);
  close();
}

void Connection::closeSoon() {
  asio::post(m_socket.get_executor(), [self = shared_from_this()] { self->close(); });
}

void Connection::hold(size_t bytes) {
  m_heldBytes += bytes;
  m_counters->heldBytes.fetch_add(bytes, std::memory_order_relaxed);
}

void Connection::release(size_t bytes) {
  QUARRY_CHECK(bytes <= m_heldBytes);
  m_heldBytes -= bytes;
  m_counters->heldBytes.fetch_sub(bytes, std::memory_order_relaxed);
}

bool Connection::hasRoom() const {
  if (!hasRoomOfItsOwn()) return false;
  if (m_counters->heldBytes.load(std::memory_order_relaxed) < m_counters->heldBytesMax) return true;
  const uint64_t share = m_counters->heldBytesMax / std::max<uint64_t>(1, m_counters->connectionCount.load(std::memory_order_relaxed));
  return m_heldBytes == 0 || m_heldBytes < share;
}

void Connection::wakeReader() {
  if (m_readerWaits) m_room.cancel();
}

void Connection::closeIfStalled(std::chrono::steady_clock::time_point now) {
  if (!m_sending || m_closed || now - m_lastProgress < sendStallMax) return;
  log("net").warn("{}:{} took no reply byte for {} s, closing its connection", m_peer.address, m_peer.port, sendStallMax.count());
  close();
}

Task<void> Connection::readLoop(std::shared_ptr<Connection> self) {
  while (!self->m_closed && !self->m_finishing) {
    const MutableBytes space = self->m_assembler.space();
    asio::error_code error;
    const size_t count =
        co_await self->m_socket.async_read_some(asio::buffer(space.data(), space.size()), asio::redirect_error(asio::use_awaitable, error));
    if (error) break;
    self->m_counters->receivedBytes.fetch_add(count, std::memory_order_relaxed);
    self->m_lastHeard = std::chrono::steady_clock::now();
    const Result<void> received = self->m_assembler.received(count);
    const bool startedAll = co_await self->startReadyRequests();
    if (!received) {
      self->closeFor(received.error());
    }
    if (!received || !startedAll) break;
  }
  self->m_reading = false;
  self->closeIfDone();
}

// False when the connection was closed meanwhile.
Task<bool> Connection::startReadyRequests() {
  while (auto record = m_assembler.next()) {
    if (!hasRoom()) co_await waitForRoom();
    if (m_closed) co_return false;
    const size_t chargedBytes = record->bytes().size() + m_handler.replyBytes(record->bytes()) + requestOverheadBytes;
    hold(chargedBytes);
    ++m_running;
    m_counters->requestCount.fetch_add(1, std::memory_order_relaxed);
    m_counters->requestsRunning.fetch_add(1, std::memory_order_relaxed);
    spawn(m_socket.get_executor(), serve(shared_from_this(), std::move(*record), chargedBytes));
  }
  if (!hasRoom()) co_await waitForRoom();
  co_return !m_closed;
}

Task<void> Connection::waitForRoom() {
  while (!m_closed && !hasRoom()) {
    m_readerWaits = true;
    co_await expiry(m_room);
    m_readerWaits = false;
  }
}

Task<void> Connection::serve(std::shared_ptr<Connection> self, Record record, size_t chargedBytes) {
  Result<OutgoingRecord> reply = co_await self->m_handler.handle(self->m_peer, std::move(record));
  --self->m_running;
  self->release(chargedBytes);
  if (reply && !self->m_closed) {
    self->enqueue(std::move(*reply));
  } else if (!reply && !self->m_closed) {
    self->closeFor(reply.error());
  }
  self->m_counters->requestsRunning.fetch_sub(1);  // after repliesWaiting was raised, so that nobody sees both at zero
  self->wakeReader();
  self->closeIfDone();
}

void Connection::enqueue(OutgoingRecord record) {
  const size_t bytes = wireBytes(record);
  QUARRY_CHECK(record.head.size() >= recordMarkBytes);
  const auto mark = recordMark(bytes - recordMarkBytes);
  std::copy(mark.begin(), mark.end(), record.head.begin());
  m_unsentBytes += bytes;
  hold(bytes);
  m_queue.push_back(std::move(record));
  m_counters->repliesWaiting.fetch_add(1);
  if (std::exchange(m_sending, true)) return;
  m_lastProgress = std::chrono::steady_clock::now();
  // A turn later: what else was asked in the same batch, and could be answered at once, goes out with it.
  asio::post(m_socket.get_executor(), [self = shared_from_this()] { spawn(self->m_socket.get_executor(), sendLoop(self)); });
}

Task<void> Connection::sendLoop(std::shared_ptr<Connection> self) {
  std::vector<asio::const_buffer> buffers;
  while (!self->m_queue.empty() && !self->m_closed) {
    self->gather(buffers);
    asio::error_code error;
    const size_t count = co_await self->m_socket.async_write_some(buffers, asio::redirect_error(asio::use_awaitable, error));
    if (error) self->close();
    if (self->m_closed) break;
    self->m_counters->sentBytes.fetch_add(count, std::memory_order_relaxed);
    self->m_counters->sendCount.fetch_add(1, std::memory_order_relaxed);
    self->m_lastProgress = std::chrono::steady_clock::now();
    self->dropSent(count);
    self->wakeReader();
  }
  self->m_sending = false;
  self->closeIfDone();
}

// The bytes that wait, oldest first, as many pieces as one system call takes.
void Connection::gather(std::vector<asio::const_buffer>& buffers) const {
  buffers.clear();
  size_t skip = m_frontSent;
  for (const OutgoingRecord& record : m_queue) {
    if (buffers.size() >= buffersPerSend) break;
    addPiece(buffers, record.head, skip);
    for (const Bytes piece : record.body) {
      if (buffers.size() >= buffersPerSend) return;
      addPiece(buffers, piece, skip);
    }
    addPiece(buffers, Bytes(padding).first(paddingOf(record.bodyBytes)), skip);
  }
}

void Connection::dropSent(size_t count) {
  m_unsentBytes -= count;
  m_frontSent += count;
  while (!m_queue.empty() && m_frontSent >= wireBytes(m_queue.front())) {
    m_frontSent -= wireBytes(m_queue.front());
    release(wireBytes(m_queue.front()));
    m_queue.pop_front();
    m_counters->repliesWaiting.fetch_sub(1);
  }
}

void Connection::closeIfDone() {
  if (!m_closed && !m_reading && m_running == 0 && !m_sending) close();
}

}  // namespace quarry::net
