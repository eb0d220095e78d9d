// SPDX-License-Identifier: GPL-3.0-or-later
// One TCP connection of RPC: reads whole records, runs one coroutine per request, and sends replies in whatever order they come, several
// in one gathering write. A slow request delays no other on its connection.
//
// Back-pressure counts bytes, not requests, so that a heartbeat is read behind any number of small slow requests. What a connection holds
// is the records and coming replies of running requests, requestOverheadBytes for each, and the replies not sent yet. Reading pauses while
// it holds heldBytesPerConnectionMax, or unsentBytesMax of replies, or while all connections together hold ConnectionCounters::heldBytesMax
// and this one its share of that. It goes on as soon as either falls: requests end by themselves, and a client that takes no reply byte
// for sendStallMax is closed. One that holds nothing always goes on. So all together hold at most twice heldBytesMax and one request each.
//
// Idle connections stay. After the client has shut its sending side, what it asked for is still answered.
//
// Threads: everything runs on the loop that the socket belongs to. Ownership: shared by its own coroutines; ends when they do. The handler
// must outlive its requests.
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/net/record_marking.h"
#include "engine/net/warning_limit.h"

namespace quarry::net {

inline constexpr size_t heldBytesPerConnectionMax = 32 * 1024 * 1024;
inline constexpr size_t requestOverheadBytes = 8 * 1024;  // frames and what procedures allocate; bounds the number of requests, too
inline constexpr uint64_t heldBytesMaxDefault = 256 * 1024 * 1024;
inline constexpr size_t unsentBytesMax = 8 * 1024 * 1024;
inline constexpr std::chrono::seconds sendStallMax{60};
static_assert(unsentBytesMax > recordBytesMax, "one reply always fits");
static_assert(heldBytesPerConnectionMax > unsentBytesMax && heldBytesMaxDefault > heldBytesPerConnectionMax);

// Who is at the other end; textual IPv4 or IPv6 address, IPv4-mapped ones as IPv4.
struct Peer {
  std::string address;
  uint16_t port = 0;
};

// A reply. `head` begins with recordMarkBytes bytes of room for the mark; the pieces of `body` follow without being copied, then zero bytes up
// to a multiple of four.
struct OutgoingRecord {
  std::vector<std::byte> head;
  std::shared_ptr<const void> bodyOwner;
  std::vector<Bytes> body;
  size_t bodyBytes = 0;  // of all pieces
};

// What a connection serves. An Error means that the peer does not speak the protocol: the connection is closed.
class RecordHandler {
 public:
  virtual ~RecordHandler() = default;
  virtual Task<Result<OutgoingRecord>> handle(const Peer& peer, Record record) = 0;  // the peer outlives the task
  // How many bytes of data the reply to this record may carry; 0 when it carries none, or nobody can tell yet.
  virtual size_t replyBytes(Bytes) const { return 0; }
};

// Shared by all connections of a listener.
struct ConnectionCounters {
  uint64_t heldBytesMax = heldBytesMaxDefault;  // set before the first connection
  std::atomic<uint64_t> heldBytes = 0;
  WarningLimit warnings;                        // for lines that anybody may cause
  std::atomic<uint64_t> connectionCount = 0;   // open now
  std::atomic<uint64_t> acceptedCount = 0, evictedCount = 0;  // the latter closed to make room
  std::atomic<uint64_t> requestCount = 0;      // records handed to the handler
  std::atomic<uint64_t> requestsRunning = 0;
  std::atomic<uint64_t> repliesWaiting = 0;    // made, not sent yet
  std::atomic<uint64_t> receivedBytes = 0, sentBytes = 0;
  std::atomic<uint64_t> sendCount = 0;         // gathering writes
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(asio::ip::tcp::socket socket, Peer peer, RecordHandler& handler, std::shared_ptr<ConnectionCounters> counters);
  ~Connection();

  void start();              // begins to read
  void finish();             // reads nothing more; closes once what was read is answered
  void close();              // at once; running requests end unanswered
  void closeIfStalled(std::chrono::steady_clock::time_point now);

  // From any thread.
  const Peer& peer() const { return m_peer; }
  bool isClosed() const { return m_closed; }
  std::chrono::steady_clock::time_point lastHeard() const { return m_lastHeard; }  // when bytes came last
  void closeSoon();

 private:
  static Task<void> readLoop(std::shared_ptr<Connection> self);
  static Task<void> serve(std::shared_ptr<Connection> self, Record record, size_t chargedBytes);
  static Task<void> sendLoop(std::shared_ptr<Connection> self);

  Task<bool> startReadyRequests();
  Task<void> waitForRoom();
  bool hasRoomOfItsOwn() const { return m_heldBytes < heldBytesPerConnectionMax && m_unsentBytes < unsentBytesMax; }
  bool hasRoom() const;
  void hold(size_t bytes);
  void release(size_t bytes);
  void enqueue(OutgoingRecord record);
  void gather(std::vector<asio::const_buffer>& buffers) const;
  void dropSent(size_t count);
  void closeIfDone();
  void closeFor(const Error& error);
  void wakeReader();

  asio::ip::tcp::socket m_socket;
  const Peer m_peer;
  RecordHandler& m_handler;
  const std::shared_ptr<ConnectionCounters> m_counters;
  asio::steady_timer m_room;            // cancelled when there may be room
  RecordAssembler m_assembler;
  std::deque<OutgoingRecord> m_queue;   // replies not sent yet
  size_t m_frontSent = 0;               // bytes of the first one that are sent
  size_t m_unsentBytes = 0;
  size_t m_heldBytes = 0;
  size_t m_running = 0;
  bool m_sending = false, m_reading = false, m_readerWaits = false, m_finishing = false;
  std::atomic<bool> m_closed = false;   // changed on the loop only
  std::atomic<std::chrono::steady_clock::time_point> m_lastHeard;
  std::chrono::steady_clock::time_point m_lastProgress{};
};

}  // namespace quarry::net
