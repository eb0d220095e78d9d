// SPDX-License-Identifier: GPL-3.0-or-later
// Answers retransmissions of calls that must not run twice (REMOVE, RENAME, CREATE GUARDED, …). A call is known by the client's address
// without its port (a client comes back on another one), its xid, and a checksum of its bytes (clients reuse xids). A retransmission that
// arrives while the call still runs waits for it and gets the same reply.
//
// Threads: safe from any; a waiter resumes on its own executor. Bounds: replyCacheEntriesMax finished replies, replyCacheBytesMax bytes of
// them, the oldest go first; running calls are bounded by the connections' limits.
#pragma once

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

struct CallKey {
  std::string client;
  uint32_t xid = 0;
  uint64_t checksum = 0;
  bool operator==(const CallKey&) const = default;
};

using CachedReply = std::shared_ptr<const std::vector<std::byte>>;

class ReplyCache {
 public:
  // Null: the call is new, the caller runs it and must call finish(). Else the reply to send, perhaps after a wait.
  Task<CachedReply> begin(CallKey key);
  void finish(const CallKey& key, CachedReply reply);

  size_t entryCount() const;  // running and finished

 private:
  struct Entry {
    CachedReply reply;        // null: still running
    std::vector<std::function<void(CachedReply)>> waiters;
  };
  struct Hash {
    size_t operator()(const CallKey& key) const { return key.checksum ^ key.xid; }
  };
  // True: answered or will be, by done(). False: the call is new.
  bool answerOrWait(const CallKey& key, std::function<void(CachedReply)>& done);
  void evict() REQUIRES(m_mutex);

  mutable Mutex m_mutex;
  std::unordered_map<CallKey, Entry, Hash> m_entries GUARDED_BY(m_mutex);
  std::list<CallKey> m_finished GUARDED_BY(m_mutex);  // oldest first
  size_t m_finishedBytes GUARDED_BY(m_mutex) = 0;
};

}  // namespace quarry::rpc
