// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/read_cache.h"

#include <algorithm>
#include <utility>

namespace quarry::cache {

namespace {
constexpr size_t bucketsMin = 256;
constexpr uint8_t usesMax = 3;
constexpr uint8_t usesToStay = 2;      // in the small queue, to go on to the main one
constexpr uint64_t smallShare = 10;    // one part in so many
}  // namespace

std::optional<BlockRef> ReadCache::find(const BlockKey& key) {
  const uint64_t hash = hashOf(key);
  return shard(hash).find(key, hash);
}

void ReadCache::insert(const BlockKey& key, BlockRef block) {
  const uint64_t hash = hashOf(key);
  shard(hash).insert(key, hash, std::move(block));
}

void ReadCache::erase(const BlockKey& key) {
  const uint64_t hash = hashOf(key);
  shard(hash).erase(key, hash);
}

bool ReadCache::makeRoom(uint64_t count) {
  for (size_t tries = 0; tries < shardCount; ++tries)
    if (m_shards[m_nextVictim.fetch_add(1, std::memory_order_relaxed) % shardCount].evict(count)) return true;
  return false;
}

ReadCache::Figures ReadCache::figures() const {
  Figures sum;
  for (const Shard& shard : m_shards) {
    const Figures one = shard.figures();
    sum.bytes += one.bytes;
    sum.hits += one.hits;
    sum.misses += one.misses;
    sum.insertions += one.insertions;
    sum.evictions += one.evictions;
  }
  return sum;
}

uint32_t* ReadCache::Shard::link(const BlockKey& key, uint64_t hash) {
  if (m_buckets.empty()) return nullptr;
  uint32_t* at = &m_buckets[hash & (m_buckets.size() - 1)];
  while (*at != none && m_entries[*at].key != key) at = &m_entries[*at].next;
  return *at == none ? nullptr : at;
}

std::optional<BlockRef> ReadCache::Shard::find(const BlockKey& key, uint64_t hash) {
  const Lock lock(m_mutex);
  const uint32_t* const found = link(key, hash);
  ++(found ? m_figures.hits : m_figures.misses);
  if (!found) return std::nullopt;
  Entry& entry = m_entries[*found];
  if (entry.uses < usesMax) ++entry.uses;
  return entry.block;
}

uint32_t ReadCache::Shard::newEntry() {
  if (m_unused.empty()) {
    m_entries.emplace_back();
    return static_cast<uint32_t>(m_entries.size() - 1);
  }
  const uint32_t index = m_unused.back();
  m_unused.pop_back();
  return index;
}

void ReadCache::Shard::grow() {
  m_buckets.assign(std::max(bucketsMin, m_buckets.size() * 2), none);
  for (uint32_t index = 0; index < m_entries.size(); ++index) {
    Entry& entry = m_entries[index];
    if (!entry.block) continue;
    uint32_t& bucket = m_buckets[hashOf(entry.key) & (m_buckets.size() - 1)];
    entry.next = std::exchange(bucket, index);
  }
  m_ghosts.assign(m_buckets.size() * 2, {});
}

void ReadCache::Shard::insert(const BlockKey& key, uint64_t hash, BlockRef block) {
  BlockRef replaced;  // given back after the lock
  const Lock lock(m_mutex);
  ++m_figures.insertions;
  if (const uint32_t* const found = link(key, hash)) {
    replaced = std::exchange(m_entries[*found].block, std::move(block));
    return;
  }
  if (m_liveCount >= m_buckets.size()) grow();
  const uint32_t index = newEntry();
  Entry& entry = m_entries[index];
  const Queue queue = isRemembered(hash) ? Queue::Main : Queue::Small;
  uint32_t& bucket = m_buckets[hash & (m_buckets.size() - 1)];
  entry = {.key = key, .block = std::move(block), .next = std::exchange(bucket, index), .uses = 0, .queue = queue};
  (queue == Queue::Small ? m_small : m_main).push_back(index);
  ++m_liveCount;
  if (queue == Queue::Small) ++m_smallLive;
}

// The entry is found no more; its place in its queue is passed later.
void ReadCache::Shard::unlink(uint32_t* link, Freed& freed) {
  Entry& entry = m_entries[*link];
  *link = entry.next;
  freed.push_back(std::move(entry.block));
  entry.block = {};
  --m_liveCount;
  if (entry.queue == Queue::Small) --m_smallLive;
}

void ReadCache::Shard::erase(const BlockKey& key, uint64_t hash) {
  Freed freed;
  const Lock lock(m_mutex);
  if (uint32_t* const found = link(key, hash)) unlink(found, freed);
  // Dead places must not outgrow the living.
  while (m_small.size() + m_main.size() > 2 * m_liveCount + bucketsMin) {
    std::deque<uint32_t>& queue = m_small.size() > m_main.size() ? m_small : m_main;
    const uint32_t index = queue.front();
    queue.pop_front();
    if (m_entries[index].block) queue.push_back(index);
    else m_unused.push_back(index);
  }
}

bool ReadCache::Shard::evict(uint64_t count) {
  Freed freed;
  const Lock lock(m_mutex);
  for (uint64_t i = 0; i < count && evictOne(freed); ++i) {
  }
  return !freed.empty();
}

bool ReadCache::Shard::evictOne(Freed& freed) {
  if (m_liveCount == 0) return false;
  if (m_smallLive * smallShare >= m_liveCount && evictSmall(freed)) return true;
  return evictMain(freed) || evictSmall(freed);
}

bool ReadCache::Shard::evictSmall(Freed& freed) {
  while (!m_small.empty()) {
    const uint32_t index = m_small.front();
    m_small.pop_front();
    Entry& entry = m_entries[index];
    if (!entry.block) {
      m_unused.push_back(index);
    } else if (entry.uses >= usesToStay) {
      entry.uses = 0;
      entry.queue = Queue::Main;
      --m_smallLive;
      m_main.push_back(index);
    } else {
      remember(hashOf(entry.key));
      evict(index, freed);
      return true;
    }
  }
  return false;
}

bool ReadCache::Shard::evictMain(Freed& freed) {
  while (!m_main.empty()) {
    const uint32_t index = m_main.front();
    m_main.pop_front();
    Entry& entry = m_entries[index];
    if (!entry.block) {
      m_unused.push_back(index);
    } else if (entry.uses > 0) {
      --entry.uses;
      m_main.push_back(index);
    } else {
      evict(index, freed);
      return true;
    }
  }
  return false;
}

// REQUIRES: out of its queue.
void ReadCache::Shard::evict(uint32_t index, Freed& freed) {
  const BlockKey key = m_entries[index].key;
  unlink(link(key, hashOf(key)), freed);
  m_unused.push_back(index);
  ++m_figures.evictions;
}

void ReadCache::Shard::remember(uint64_t hash) {
  if (m_ghosts.empty()) return;
  m_ghosts[(hash >> 16) & (m_ghosts.size() - 1)] = {.fingerprint = static_cast<uint32_t>(hash), .when = ++m_ghostClock};
}

bool ReadCache::Shard::isRemembered(uint64_t hash) const {
  if (m_ghosts.empty()) return false;
  const Ghost& ghost = m_ghosts[(hash >> 16) & (m_ghosts.size() - 1)];
  return ghost.when != 0 && ghost.fingerprint == static_cast<uint32_t>(hash) && m_ghostClock - ghost.when < m_liveCount;
}

ReadCache::Figures ReadCache::Shard::figures() const {
  const Lock lock(m_mutex);
  Figures figures = m_figures;
  figures.bytes = m_liveCount * blockBytes;
  return figures;
}

}  // namespace quarry::cache
