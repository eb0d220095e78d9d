// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/reply_cache.h"

#include <utility>

#include "engine/base/check.h"

namespace quarry::rpc {

Task<CachedReply> ReplyCache::begin(CallKey key, TimePoint now) {
  {
    Lock lock(m_mutex);
    evict(now);
    const auto [found, isNew] = m_entries.try_emplace(key);
    if (isNew) co_return nullptr;
    if (found->second.reply) co_return found->second.reply;
  }
  // Between the two looks the call may end and even be evicted; then it counts as new.
  auto start = [this, key](std::function<void(CachedReply)> done) {
    if (!answerOrWait(key, done)) done(nullptr);
  };
  co_return co_await awaitCallback<CachedReply>(start);
}

bool ReplyCache::answerOrWait(const CallKey& key, std::function<void(CachedReply)>& done) {
  CachedReply reply;
  {
    Lock lock(m_mutex);
    const auto [found, isNew] = m_entries.try_emplace(key);
    if (isNew) return false;
    reply = found->second.reply;
    if (!reply) found->second.waiters.push_back(std::move(done));
  }
  if (reply) done(reply);
  return true;
}

void ReplyCache::finish(const CallKey& key, CachedReply reply, TimePoint now) {
  QUARRY_CHECK(reply);
  std::vector<std::function<void(CachedReply)>> waiters;
  {
    Lock lock(m_mutex);
    const auto found = m_entries.find(key);
    QUARRY_CHECK(found != m_entries.end() && !found->second.reply);
    waiters = std::exchange(found->second.waiters, {});
    found->second.reply = reply;
    m_finished.push_back({key, now});
    m_finishedBytes += reply->size();
    evict(now);
  }
  for (auto& waiter : waiters) waiter(reply);
}

void ReplyCache::evict(TimePoint now) {
  const auto isTooOld = [now](const Finished& finished) { return now - finished.at > replyAgeMax; };
  while (m_finished.size() > replyCacheEntriesMax || m_finishedBytes > replyCacheBytesMax || (!m_finished.empty() && isTooOld(m_finished.front()))) {
    const auto oldest = m_entries.find(m_finished.front().key);
    m_finishedBytes -= oldest->second.reply->size();
    m_entries.erase(oldest);
    m_finished.pop_front();
  }
}

size_t ReplyCache::entryCount() const {
  Lock lock(m_mutex);
  return m_entries.size();
}

}  // namespace quarry::rpc
