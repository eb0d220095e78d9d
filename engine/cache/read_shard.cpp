// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/read_shard.h"

#include <bit>
#include <utility>

#include "engine/base/check.h"

namespace quarry::cache {

namespace {
constexpr uint64_t bucketCountMin = 64;
constexpr uint64_t smallShare = 10;      // the small queue is one part in so many
constexpr uint32_t frequencyMax = 3;
constexpr uint32_t hitsToMain = 2;       // in the small queue
constexpr int secondChancesMax = 64;     // of one eviction: bounds what an eviction costs when all was hit
}  // namespace

ReadShard::ReadShard(BlockPool& pool, uint64_t countMax)
    : m_pool(pool), m_countMax(countMax), m_entries(countMax + 1), m_buckets(std::max(countMax, bucketCountMin) + 1), m_bucketCount(bucketCountMin) {}

ReadShard::~ReadShard() {
  for (Place place = 1; place <= m_count; ++place) (void)m_pool.adopt(m_entries[place].block);
}

uint64_t ReadShard::bucketOf(uint64_t hash) const {
  const uint64_t half = std::bit_floor(m_bucketCount);
  const uint64_t wide = hash & (2 * half - 1);
  return wide < m_bucketCount ? wide : wide - half;
}

ReadShard::Place ReadShard::lookUp(const BlockKey& key, uint64_t hash) const {
  Place place = m_buckets[bucketOf(hash)];
  while (place != 0 && m_entries[place].key != key) place = m_entries[place].chain;
  return place;
}

// The bucket or chain member that leads to the entry.
ReadShard::Place* ReadShard::linkTo(Place place, uint64_t hash) {
  Place* link = &m_buckets[bucketOf(hash)];
  while (*link != place) {
    QUARRY_CHECK(*link != 0);
    link = &m_entries[*link].chain;
  }
  return link;
}

// Its entries part between the bucket that has been there and the one that comes.
void ReadShard::splitBucket() {
  const uint64_t added = m_bucketCount++;
  Place* stays = &m_buckets[added - std::bit_floor(added)];
  Place* moves = &m_buckets[added];
  for (Place place = *stays; place != 0; place = m_entries[place].chain) {
    Place*& end = bucketOf(hashOf(m_entries[place].key)) == added ? moves : stays;
    *end = place;
    end = &m_entries[place].chain;
  }
  *stays = 0;
  *moves = 0;
  m_buckets.keep(m_bucketCount);
}

void ReadShard::mergeBucket() {
  const uint64_t removed = --m_bucketCount;
  Place* link = &m_buckets[removed - std::bit_floor(removed)];
  while (*link != 0) link = &m_entries[*link].chain;
  *link = std::exchange(m_buckets[removed], 0);
  m_buckets.keep(m_bucketCount);
}

void ReadShard::enqueue(Place place, Queue queue) {
  Entry& entry = m_entries[place];
  Ends& ends = m_ends[queue];
  entry.queue = queue == Queue::Main;
  entry.newer = 0;
  entry.older = std::exchange(ends.newest, place);
  (entry.older != 0 ? m_entries[entry.older].newer : ends.oldest) = place;
  ++ends.count;
}

void ReadShard::dequeue(Place place) {
  const Entry& entry = m_entries[place];
  Ends& ends = m_ends[entry.queue];
  (entry.newer != 0 ? m_entries[entry.newer].older : ends.newest) = entry.older;
  (entry.older != 0 ? m_entries[entry.older].newer : ends.oldest) = entry.newer;
  --ends.count;
}

std::optional<BlockRef> ReadShard::find(const BlockKey& key, uint64_t hash) {
  const Place place = lookUp(key, hash);
  if (place == 0) return std::nullopt;
  Entry& entry = m_entries[place];
  if (entry.frequency < frequencyMax) ++entry.frequency;
  return m_pool.share(entry.block);
}

BlockRef ReadShard::insert(const BlockKey& key, uint64_t hash, BlockRef block) {
  const uint32_t index = m_pool.detach(std::move(block));
  if (const Place place = lookUp(key, hash); place != 0) {
    BlockRef before = m_pool.adopt(m_entries[place].block);
    m_entries[place].block = index & (BlockPool::blocksMax - 1);
    return before;
  }
  QUARRY_CHECK(!isFull());
  const auto place = static_cast<Place>(++m_count);
  m_entries.keep(m_count + 1);
  Entry& entry = m_entries[place];
  entry.key = key;
  entry.block = index & (BlockPool::blocksMax - 1);
  entry.frequency = 0;
  entry.chain = std::exchange(m_buckets[bucketOf(hash)], place);
  enqueue(place, m_ghosts.take(hash) ? Main : Small);
  if (m_count > m_bucketCount) splitBucket();
  return {};
}

BlockRef ReadShard::erase(const BlockKey& key, uint64_t hash) {
  const Place place = lookUp(key, hash);
  if (place == 0) return {};
  return remove(place);
}

BlockRef ReadShard::evict() {
  for (int chances = 0;; ++chances) {
    const Queue queue = m_ends[Small].count * smallShare >= m_count ? Small : Main;
    const Place place = m_ends[queue].oldest;
    Entry& entry = m_entries[place];
    const bool deserves = queue == Small ? entry.frequency >= hitsToMain : entry.frequency > 0;
    if (!deserves || chances == secondChancesMax) {
      if (queue == Small) m_ghosts.add(hashOf(entry.key));
      return remove(place);
    }
    entry.frequency = queue == Small ? 0 : (entry.frequency - 1) & frequencyMax;
    dequeue(place);
    enqueue(place, Main);
  }
}

BlockRef ReadShard::remove(Place place) {
  const Entry& entry = m_entries[place];
  BlockRef block = m_pool.adopt(entry.block);
  *linkTo(place, hashOf(entry.key)) = entry.chain;
  dequeue(place);
  fillHole(place);
  if (m_bucketCount > bucketCountMin && m_count < m_bucketCount / 2) mergeBucket();
  return block;
}

// The last entry moves there, so that they stay dense and the memory behind them can go.
void ReadShard::fillHole(Place hole) {
  const auto last = static_cast<Place>(m_count--);
  if (hole != last) {
    const Entry& moved = m_entries[last];
    *linkTo(last, hashOf(moved.key)) = hole;
    Ends& ends = m_ends[moved.queue];
    (moved.newer != 0 ? m_entries[moved.newer].older : ends.newest) = hole;
    (moved.older != 0 ? m_entries[moved.older].newer : ends.oldest) = hole;
    m_entries[hole] = moved;
  }
  m_entries.keep(m_count + 1);
}

}  // namespace quarry::cache
