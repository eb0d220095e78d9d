// SPDX-License-Identifier: GPL-3.0-or-later
// Answers retransmissions of calls that must not run twice (REMOVE, RENAME, CREATE GUARDED, …). A call is known by the client's address
// without its port (a client comes back on another one), its xid, and a checksum of its bytes (clients reuse xids). A retransmission that
// arrives while the call still runs waits for it and gets the same reply.
//
// Threads: safe from any; a waiter resumes on its own executor. Bounds: replyCacheEntriesMax finished replies, replyCacheBytesMax bytes of
// them, none older than replyAgeMax, the oldest go first; running calls are bounded by the connections' limits. The age is what tells a
// retransmission from a client that has started anew and happens to count its xids alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/mutex.h"

namespace quarry::rpc {

inline constexpr size_t replyCacheEntriesMax = 1024;
inline constexpr size_t replyCacheBytesMax = 4 * 1024 * 1024;
inline constexpr std::chrono::seconds replyAgeMax{120};

struct CallKey {
  std::string client;
  uint32_t xid = 0;
  uint64_t checksum = 0;
  bool operator==(const CallKey&) const = default;
};

using CachedReply = std::shared_ptr<const std::vector<std::byte>>;

class ReplyCache {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Null: the call is new, the caller runs it and must call finish(). Else the reply to send, perhaps after a wait.
  Task<CachedReply> begin(CallKey key, TimePoint now = std::chrono::steady_clock::now());
  void finish(const CallKey& key, CachedReply reply, TimePoint now = std::chrono::steady_clock::now());

  size_t entryCount() const;  // running and finished

 private:
  struct Entry {
    CachedReply reply;        // null: still running
    std::vector<std::function<void(CachedReply)>> waiters;
  };
  struct Finished {
    CallKey key;
    TimePoint at;
  };
  struct Hash {
    size_t operator()(const CallKey& key) const { return key.checksum ^ key.xid; }
  };
  // True: answered or will be, by done(). False: the call is new.
  bool answerOrWait(const CallKey& key, std::function<void(CachedReply)>& done);
  void evict(TimePoint now) REQUIRES(m_mutex);

  mutable Mutex m_mutex;
  std::unordered_map<CallKey, Entry, Hash> m_entries GUARDED_BY(m_mutex);
  std::list<Finished> m_finished GUARDED_BY(m_mutex);  // oldest first
  size_t m_finishedBytes GUARDED_BY(m_mutex) = 0;
};

}  // namespace quarry::rpc
