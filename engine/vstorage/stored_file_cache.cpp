// SPDX-License-Identifier: GPL-3.0-or-later
// The caches' side of StoredFile: what is kept in RAM, journaled and destaged.
//
// Why readers never see old bytes. They take dirty blocks first, then clean ones, then what lies below (stored_file_read.cpp).
//  - A dirty block is forgotten only after it landed; before that its clean copy takes the place of an older one. So a reader that finds neither
//    finds it landed.
//  - What a reader brings from below is put into the read cache only if nothing was written into that part of the landing file since it began
//    (the write counters), compared under the mutex that a write counts under; and a write drops the clean copies after its second count.
// Why a replay never brings old bytes back. Entries are voided (journal_format.h) by whatever landed newer bytes that the journal does not hold,
// before it is acknowledged; and a block's entry is needed until it landed, or a newer one is in the journal.
#include <algorithm>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/spawn.h"
#include "engine/vstorage/stored_file.h"

namespace quarry {

namespace {
uint64_t blockOf(uint64_t offset) { return offset / blockBytes; }

// Neighbours among blocks in order, as ranges.
std::vector<cache::BlockRange> rangesOf(std::span<const cache::DirtyBlocks::Taken> blocks, bool unjournaledOnly) {
  std::vector<cache::BlockRange> ranges;
  for (const auto& block : blocks) {
    if (unjournaledOnly && block.isJournaled) continue;
    if (!ranges.empty() && ranges.back().end() == block.block) ++ranges.back().count;
    else ranges.push_back({block.block, 1});
  }
  return ranges;
}

cache::Promise promiseOf(Keep keep) {
  switch (keep) {
    case Keep::Landed:
    case Keep::LandedDurable:
    case Keep::Dirty: return cache::Promise::None;
    case Keep::Journaled: return cache::Promise::Journal;
    case Keep::Unprotected: return cache::Promise::Unprotected;
  }
  return cache::Promise::None;
}
}  // namespace

void StoredFile::renewCacheId() {
  const Lock lock(m_mutex);
  m_cacheId.store(m_shared.caches.newOwner());
}

Task<Result<uint64_t>> StoredFile::keepAligned(uint64_t offset, Bytes data, Keep keep) {
  switch (keep) {
    case Keep::Landed: co_return co_await landDirect(offset, data, os::Durability::None);
    case Keep::LandedDurable: co_return co_await landDirect(offset, data, os::Durability::Durable);
    case Keep::Dirty:
    case Keep::Journaled:
    case Keep::Unprotected: break;
  }
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return fail(loaded.error());
  if (m_landing.isRemoved()) co_return fail(ErrorCode::Stale, "the file was removed");
  co_return putAligned(offset, data, promiseOf(keep));
}

uint64_t StoredFile::putAligned(uint64_t offset, Bytes data, cache::Promise promise) {
  const uint64_t newBlocks = notLandedBytes({offset, data.size()}) / blockBytes;
  m_changeCount.fetch_add(1, std::memory_order_relaxed);
  m_dirty.put(blockOf(offset), m_shared.caches.copiesOf(data), promise, m_shared.clock.steady());
  m_shared.caches.write().noteDirty(*this, weak_from_this());
  return newBlocks;
}

uint64_t StoredFile::notLandedBytes(os::ByteRange range) const {
  uint64_t held = 0;
  std::vector<cache::BlockRef> dirty(range.length / blockBytes);
  if (m_dirty.find(blockOf(range.offset), dirty) == 0) return range.length - m_landing.landedCountIn(range) * blockBytes;
  for (uint64_t i = 0; i < dirty.size(); ++i)
    if (dirty[i] || m_landing.landedCountIn({range.offset + i * blockBytes, blockBytes}) > 0) ++held;
  return range.length - held * blockBytes;
}

// Whether the next start would replay something of this file.
bool StoredFile::mayBeReplayed() const {
  const journal::Journal* journal = m_shared.caches.write().journal();
  const uint64_t last = m_lastJournaled.load();
  return journal && last != 0 && last >= journal->firstReplayed();
}

// Not durable, it could be lost while the entries that it voids are gone: so beside a journal that holds something it is made durable.
// What was dirty is dropped before the entry that voids it: should the journal be full, that makes room, and until the answer is given either version
// may come back.
Task<Result<uint64_t>> StoredFile::landDirect(uint64_t offset, Bytes data, os::Durability durability) {
  auto guard = co_await m_landLock.lock(offset, offset + data.size());
  const bool isReplayed = mayBeReplayed();
  const uint64_t before = m_shared.caches.write().needs().next();
  const auto landed = co_await landAligned(offset, data, isReplayed ? os::Durability::Durable : durability);
  const cache::BlockRange range{blockOf(offset), blockOf(data.size())};
  // The clean ones before and after: whoever finds no dirty block must not find an older clean one, and settle() may just have made one. After a
  // failure too: part of the range may be new.
  eraseClean(range);
  if (!landed) co_return landed;
  m_dirty.drop(range);
  eraseClean(range);
  guard = {};
  if (!isReplayed) co_return landed;
  std::vector<Voided> voided(1, Voided{range, before});
  const auto appended = co_await voidReplay(std::move(voided));
  if (!appended) co_return fail(appended.error());
  co_return landed;
}

void StoredFile::eraseClean(cache::BlockRange range) {
  for (uint64_t block = range.first; block < range.end(); ++block) m_shared.caches.read().erase(keyOf(block));
}

Task<Result<void>> StoredFile::voidReplay(std::vector<Voided> voided) {
  std::vector<journal::Entry> entries;
  for (const auto& [range, before] : voided)
    entries.push_back({.kind = journal::EntryKind::Landed, .fileid = m_fileid, .firstBlock = range.first, .sizeAfter = 0, .before = before, .data = {},
                       .landedBlocks = static_cast<uint32_t>(range.count)});
  for (size_t at = 0; at < entries.size(); at += journal::appendEntriesMax) {
    const auto part = std::span(entries).subspan(at, std::min<size_t>(journal::appendEntriesMax, entries.size() - at));
    const auto appended = co_await m_shared.caches.write().journal()->append(part);
    if (!appended) co_return fail(appended.error());
  }
  co_return Result<void>();
}

Task<Result<bool>> StoredFile::journalLocked(os::ByteRange range, uint64_t sizeAfter) {
  const uint64_t first = blockOf(range.offset), count = blockOf(alignUp(range.offset + range.length, blockBytes)) - first;
  auto run = m_dirty.take({first, count});
  const bool isWhole = run.blocks.size() == count;
  const auto journaled = co_await journalBlocks(std::move(run.blocks), sizeAfter);
  if (!journaled || (isWhole && *journaled)) co_return journaled;
  const auto voided = co_await waitVoided();
  if (!voided) co_return fail(voided.error());
  co_return false;
}

// Blocks that landed are forgotten before the entries are durable that keep older ones from coming back: the destager must not wait for a journal that
// waits for it. Whoever promises something of such blocks waits here.
Task<Result<void>> StoredFile::waitVoided() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  uint64_t upTo = 0;
  {
    const Lock lock(m_mutex);
    upTo = m_voidingNext;
  }
  const auto isPending = [this, upTo] {
    const Lock lock(m_mutex);
    return !m_voiding.empty() && *m_voiding.begin() < upTo;
  };
  while (isPending()) {
    timer.expires_after(std::chrono::milliseconds(1));
    co_await expiry(timer);
  }
  const Lock lock(m_mutex);
  if (m_voidingFailure) co_return fail(*m_voidingFailure);
  co_return Result<void>();
}

Task<void> StoredFile::voidInBackground(std::shared_ptr<StoredFile> file, std::vector<Voided> voided, uint64_t number) {
  const auto appended = co_await file->voidReplay(std::move(voided));
  {
    const Lock lock(file->m_mutex);
    file->m_voiding.erase(number);
    if (!appended) file->m_voidingFailure = appended.error();
  }
  file->m_shared.caches.write().voiding().end();
}

// REQUIRES: the lock over the blocks held, so that no newer version of one overtakes it in the journal. False: some were destaged meanwhile.
Task<Result<bool>> StoredFile::journalBlocks(std::vector<cache::DirtyBlocks::Taken> blocks, uint64_t sizeAfter) {
  cache::WriteCache& writes = m_shared.caches.write();
  QUARRY_CHECK(writes.journal());
  bool isWhole = true;
  for (size_t at = 0; at < blocks.size(); at += journal::appendEntriesMax) {
    const auto part = std::span(blocks).subspan(at, std::min<size_t>(journal::appendEntriesMax, blocks.size() - at));
    std::vector<journal::Entry> entries;
    entries.reserve(part.size());
    for (const auto& block : part)
      entries.push_back({.kind = journal::EntryKind::Write, .fileid = m_fileid, .firstBlock = block.block, .sizeAfter = sizeAfter, .before = 0,
                         .data = block.data.bytes()});
    const uint64_t pin = writes.needs().pin();
    const auto sequence = co_await writes.journal()->append(entries);
    if (sequence) {
      uint64_t last = m_lastJournaled.load();
      while (last < *sequence && !m_lastJournaled.compare_exchange_weak(last, *sequence)) {
      }
      for (const cache::BlockRange& range : rangesOf(part, false)) isWhole &= m_dirty.protect(range.first, range.count, *sequence);
    }
    writes.needs().drop(pin);
    if (!sequence) co_return fail(sequence.error());
  }
  co_return isWhole;
}

Task<Result<void>> StoredFile::journalUncommitted(uint64_t sizeAfter) {
  const auto span = m_dirty.unjournaledSpan();
  if (!span) co_return Result<void>();
  const auto guard = co_await lock(span->first * blockBytes, span->end() * blockBytes);
  auto blocks = m_dirty.unjournaled(span->count);
  std::erase_if(blocks, [&span](const auto& block) { return block.block < span->first || block.block >= span->end(); });
  const auto journaled = co_await journalBlocks(std::move(blocks), sizeAfter);
  if (!journaled) co_return fail(journaled.error());
  co_return Result<void>();
}

// One write for neighbours, under the landing lock from taking them to their place in the file: versions land in the order they were taken.
Task<Result<cache::DirtyBlocks::Run>> StoredFile::land(cache::BlockRange range) {
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return fail(loaded.error());
  if (m_syncFailed) co_return fail(ErrorCode::IoError, "an earlier sync failed; the store takes no more writes");
  const auto guard = co_await m_landLock.lock(range.first * blockBytes, range.end() * blockBytes);
  cache::DirtyBlocks::Run run = m_dirty.take(range);
  AlignedBuffer buffer(run.blocks.size() * blockBytes);
  for (size_t i = 0; i < run.blocks.size(); ++i) std::memcpy(buffer.data() + i * blockBytes, run.blocks[i].data.bytes().data(), blockBytes);
  uint64_t done = 0;
  for (const cache::BlockRange& part : rangesOf(run.blocks, false)) {
    const auto landed = co_await landAligned(part.first * blockBytes, Bytes(buffer.bytes()).subspan(done, part.count * blockBytes), os::Durability::None);
    if (!landed) eraseClean(part);
    if (!landed && m_landing.isRemoved()) break;  // whoever removes it drops the blocks
    if (!landed) co_return fail(landed.error());
    done += part.count * blockBytes;
  }
  co_return run;
}

Task<Result<void>> StoredFile::settle(std::vector<cache::DirtyBlocks::Run> landed) {
  if (m_landing.isRemoved()) {
    m_dirty.drop({0, cache::DirtyBlocks::toEnd});
    co_return Result<void>();
  }
  const auto synced = co_await sync();
  if (!synced) co_return synced;
  const auto persisted = co_await m_shared.persistSize(m_fileid);
  if (!persisted && persisted.error().code != ErrorCode::Stale) co_return persisted;
  std::vector<Voided> voided;
  if (mayBeReplayed())
    for (const auto& run : landed)
      for (const cache::BlockRange& range : rangesOf(run.blocks, true)) voided.push_back({range, run.before});
  uint64_t number = 0;
  if (!voided.empty()) {
    m_shared.caches.write().voiding().begin();
    const Lock lock(m_mutex);
    number = m_voidingNext++;
    m_voiding.insert(number);
  }
  const auto keepClean = [this](uint64_t block, const cache::BlockRef& data) { m_shared.caches.read().insert(keyOf(block), data); };
  for (const auto& run : landed) m_dirty.landed(run.blocks, keepClean);
  if (!voided.empty()) spawn(co_await asio::this_coro::executor, voidInBackground(shared_from_this(), std::move(voided), number));
  co_return Result<void>();
}

void StoredFile::replay(uint64_t sequence, const journal::Entry& entry) {
  const cache::BlockRange range{entry.firstBlock, entry.blockCount()};
  m_lastJournaled.store(std::max(m_lastJournaled.load(), sequence));
  if (entry.kind == journal::EntryKind::Landed) {
    m_dirty.dropReplayed(range, entry.before);
    return;
  }
  m_dirty.put(range.first, m_shared.caches.copiesOf(entry.data), cache::Promise::Journal, m_shared.clock.steady(), sequence);
  m_shared.caches.write().noteDirty(*this, weak_from_this());
  const Lock lock(m_mutex);
  m_writtenEnd = std::max(m_writtenEnd, entry.sizeAfter);
}

}  // namespace quarry
