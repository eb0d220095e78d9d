// SPDX-License-Identifier: GPL-3.0-or-later
// The changing side of StoredFile; stored_file_read.cpp is the reading side.
#include "engine/vstorage/stored_file.h"

#include <algorithm>

#include "engine/base/check.h"

namespace quarry {

namespace {
constexpr uint64_t toEnd = os::RangeLock::toEnd;
uint32_t segmentOf(uint64_t offset) { return static_cast<uint32_t>(offset / segmentBytes); }
bool isAligned(uint64_t offset, Bytes data) {
  return offset % blockBytes == 0 && data.size() % blockBytes == 0 && reinterpret_cast<uintptr_t>(data.data()) % blockBytes == 0;
}
}  // namespace

// Why a job never loses a write. A job takes view() (counter c, landed bits), reads the landed blocks, commits a recipe made of
// them and calls punchIfUnchanged(c). Both a write into the landing file and a punch hold the landing lock of their blocks, so one comes wholly
// before the other; and view() takes the counter before the bits. What is dirty in RAM is no concern of a job: it lands later, and wins.
//  - A write that was finished before the view took its counter is in the bits and in what the job reads.
//  - A write underway at the view, or begun later, counts once more before it gives up its lock. The punch comes either before it (then the
//    write fills the hole again, and what it replaces is what the job read or older) or after it, sees another counter and does nothing.
// The count after the write is what protects the punch. The count before lets a job that looks again see early that its work is in
// vain, and makes the segment young from the moment a write begins. A failed write counts as well: it may have changed bytes.
class StoredFile::Writing {
 public:
  Writing(StoredFile& file, uint64_t from, uint64_t to) : m_file(file), m_from(from), m_to(to) { note(Moment::Begin); }
  ~Writing() { note(Moment::End); }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  void note(Moment moment) {
    if (m_to == toEnd) {
      m_file.noteWriteBeyond(m_from);
    } else {
      m_file.noteWrite(m_from, m_to, moment);
    }
  }

  StoredFile& m_file;
  const uint64_t m_from, m_to;
};

// Blocks are being cut off: what was read of them meanwhile must not be found when the file grows again, and no recipe made of them may be committed.
class StoredFile::Cutting {
 public:
  explicit Cutting(StoredFile& file) : m_file(file) { note(); }
  ~Cutting() { note(); }
  Cutting(const Cutting&) = delete;
  Cutting& operator=(const Cutting&) = delete;

 private:
  void note() {
    m_file.m_cutCount.fetch_add(1);
    m_file.renewCacheId();
  }

  StoredFile& m_file;
};

StoredFile::StoredFile(Shared& shared, metadata::FileId fileid, std::shared_ptr<cache::CacheAccount> account)
    : m_shared(shared), m_fileid(fileid), m_landing(shared.landing, fileid), m_dirty(shared.caches.write().totals(), std::move(account)),
      m_cacheId(shared.caches.newOwner()), m_absentCounter(shared.writeCounter.fetch_add(1)) {}

void StoredFile::noteWrite(uint64_t from, uint64_t to, Moment moment) {
  if (from >= to) return;
  m_changeCount.fetch_add(1, std::memory_order_relaxed);
  const auto now = m_shared.clock.steady();
  const Lock lock(m_mutex);
  for (uint32_t segment = segmentOf(from); segment <= segmentOf(to - 1); ++segment) {
    SegmentWrites& writes = m_writes[segment];
    writes.counter = m_shared.writeCounter.fetch_add(1);
    writes.lastWrite = now;
    writes.underway += moment == Moment::Begin ? 1u : ~0u;
  }
}

// Segments that m_writes does not know share one counter: all of them count as changed.
void StoredFile::noteWriteBeyond(uint64_t from) {
  m_changeCount.fetch_add(1, std::memory_order_relaxed);
  const Lock lock(m_mutex);
  m_absentCounter = m_shared.writeCounter.fetch_add(1);
  for (auto at = m_writes.lower_bound(segmentOf(from)); at != m_writes.end(); ++at) at->second.counter = m_shared.writeCounter.fetch_add(1);
}

uint64_t StoredFile::writeCounterOf(uint32_t segment) const {
  const auto found = m_writes.find(segment);
  return found == m_writes.end() ? m_absentCounter : found->second.counter;
}

Task<os::RangeLock::Guard> StoredFile::lock(uint64_t from, uint64_t to) {
  co_return co_await m_lock.lock(alignDown(from, blockBytes), to == toEnd ? toEnd : alignUp(to, blockBytes));
}

Task<Result<void>> StoredFile::prepare(uint64_t size) {
  if (m_trimmed.load(std::memory_order_acquire)) co_return Result<void>();
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return loaded;
  uint64_t bound = std::max(size, writtenEnd());
  const auto guard = co_await lock(bound, toEnd);
  if (m_trimmed.load()) co_return Result<void>();
  bound = std::max(bound, writtenEnd());
  const auto dropped = co_await dropBeyond(bound);
  if (dropped) m_trimmed.store(true, std::memory_order_release);
  co_return dropped;
}

uint64_t StoredFile::writtenEnd() const {
  const Lock lock(m_mutex);
  return m_writtenEnd;
}

// Recipes before landing data, everything durable: a crash in between leaves blocks beyond the size that the next start drops.
Task<Result<void>> StoredFile::dropBeyond(uint64_t size) {
  const auto zeroed = co_await zeroTailLocked(size);
  if (!zeroed) co_return zeroed;
  const uint64_t from = alignUp(size, blockBytes);
  const auto guard = co_await m_landLock.lock(from, toEnd);
  const Writing writing(*this, from, toEnd);
  const Cutting cutting(*this);
  m_dirty.drop({from / blockBytes, cache::DirtyBlocks::toEnd});
  if (m_shared.recipes.mayHaveRecipes(m_fileid)) {
    const auto truncated = co_await m_shared.recipes.truncate(m_fileid, from / blockBytes);
    if (!truncated) co_return truncated;
  }
  const auto punched = co_await m_landing.punch({from, toEnd - from});
  if (!punched) co_return fail(punched.error());
  // What an earlier punch freed may come back with a power cut, and a later growth would show it.
  if (*punched == 0 && m_landing.isClean()) co_return Result<void>();
  co_return co_await syncOrTell();
}

Task<Result<void>> StoredFile::zeroTailLocked(uint64_t size) {
  const uint64_t inBlock = size % blockBytes;
  if (inBlock == 0) co_return Result<void>();
  const uint64_t blockStart = size - inBlock;
  const bool isHole = m_landing.landedCountIn({blockStart, blockBytes}) == 0 && !m_dirty.contains(blockStart / blockBytes) &&
                      !m_shared.recipes.mayHaveRecipes(m_fileid);
  if (isHole) co_return Result<void>();
  AlignedBuffer block(blockBytes);
  const auto read = co_await readAligned(blockStart, block.bytes());
  if (!read) co_return read;
  if (isZero(block.bytes().subspan(inBlock))) co_return Result<void>();
  std::memset(block.data() + inBlock, 0, blockBytes - inBlock);
  const auto landed = co_await landDirect(blockStart, block.bytes(), os::Durability::Durable);
  if (!landed) co_return fail(landed.error());
  co_return Result<void>();
}

Task<Result<void>> StoredFile::shortenLocked(uint64_t size) {
  const auto dropped = co_await dropBeyond(size);
  m_trimmed.store(dropped.has_value(), std::memory_order_release);
  if (!dropped) co_return dropped;
  const Lock lock(m_mutex);
  m_writtenEnd = std::min(m_writtenEnd, size);
  co_return Result<void>();
}

Task<Result<uint64_t>> StoredFile::newBytes(os::ByteRange range) {
  const auto count = [this, range] { return newBytesBlocking(range); };
  co_return co_await onPool(m_shared.landing.workers, count);
}

Result<uint64_t> StoredFile::newBytesBlocking(os::ByteRange range) {
  uint64_t bytes = 0;
  const uint64_t end = range.offset + range.length;
  for (uint64_t at = range.offset; at < end;) {
    const uint32_t segment = segmentOf(at);
    const auto recipe = m_shared.recipes.load(m_fileid, segment);
    if (!recipe) return fail(recipe.error());
    const LandedBlocks landed = m_landing.landed(segment);
    for (; at < end && segmentOf(at) == segment; at += blockBytes) {
      const auto block = static_cast<uint32_t>(at % segmentBytes / blockBytes);
      const bool isOptimized = *recipe && metadata::physicalBlock(**recipe, block);
      if (!landed[block] && !isOptimized && !m_dirty.contains(at / blockBytes)) bytes += blockBytes;
    }
  }
  return bytes;
}

Task<Result<uint64_t>> StoredFile::writeLocked(uint64_t offset, Bytes data, Keep keep) {
  if (data.empty()) co_return 0;
  if (m_syncFailed) co_return fail(ErrorCode::IoError, "an earlier sync failed; the store takes no more writes");
  const uint64_t end = offset + data.size();
  Result<uint64_t> landed = 0;
  if (isAligned(offset, data)) {
    landed = co_await keepAligned(offset, data, keep);
  } else {
    const uint64_t begin = alignDown(offset, blockBytes);
    AlignedBuffer buffer(alignUp(end, blockBytes) - begin);
    const auto filled = co_await fillEdges(offset, end, buffer);
    if (!filled) co_return fail(filled.error());
    std::memcpy(buffer.data() + (offset - begin), data.data(), data.size());
    landed = co_await keepAligned(begin, buffer.bytes(), keep);
  }
  if (!landed) co_return landed;
  const Lock lock(m_mutex);
  m_writtenEnd = std::max(m_writtenEnd, end);
  co_return landed;
}

// The first and the last block as they are, where [offset, end) covers them only in part.
Task<Result<void>> StoredFile::fillEdges(uint64_t offset, uint64_t end, AlignedBuffer& buffer) {
  const uint64_t begin = alignDown(offset, blockBytes);
  const uint64_t lastBlock = alignDown(end - 1, blockBytes);
  const bool isFirstPartial = offset != begin || (lastBlock == begin && end % blockBytes != 0);
  if (isFirstPartial) {
    const auto read = co_await readAligned(begin, buffer.bytes().first(blockBytes));
    if (!read) co_return read;
  }
  if (end % blockBytes == 0 || lastBlock == begin) co_return Result<void>();
  co_return co_await readAligned(lastBlock, buffer.bytes().subspan(lastBlock - begin, blockBytes));
}

Task<Result<uint64_t>> StoredFile::landAligned(uint64_t offset, Bytes data, os::Durability durability) {
  const Writing writing(*this, offset, offset + data.size());
  const auto landed = co_await m_landing.write(offset, data, durability);
  if (landed) {
    m_shared.landedBlocksNew.fetch_add(*landed, std::memory_order_relaxed);
    co_return landed;
  }
  // Bytes may have landed whose new size is never recorded.
  m_trimmed.store(false, std::memory_order_release);
  tellIfSyncFailed();
  co_return landed;
}

Task<Result<void>> StoredFile::write(uint64_t offset, Bytes data, uint64_t sizeBefore, os::Durability durability) {
  const auto prepared = co_await prepare(sizeBefore);
  if (!prepared) co_return prepared;
  const auto guard = co_await lock(offset, offset + data.size());
  const auto written = co_await writeLocked(offset, data, durability == os::Durability::Durable ? Keep::LandedDurable : Keep::Landed);
  if (!written) co_return fail(written.error());
  co_return Result<void>();
}

Task<Result<void>> StoredFile::shorten(uint64_t size) {
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return loaded;
  const auto guard = co_await lock(size, toEnd);
  co_return co_await shortenLocked(size);
}

Task<Result<void>> StoredFile::zeroTail(uint64_t oldSize) {
  const auto prepared = co_await prepare(oldSize);
  if (!prepared) co_return prepared;
  const auto guard = co_await lock(oldSize, toEnd);
  co_return co_await zeroTailLocked(oldSize);
}

// Waiters take turns: whoever comes after a sync that covered its writes finds nothing left to do.
Task<Result<void>> StoredFile::sync() {
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return loaded;
  const auto guard = co_await m_syncLock.lock(0, 1);
  co_return co_await syncOrTell();
}

Task<Result<void>> StoredFile::syncOrTell() {
  if (m_syncFailed) co_return fail(ErrorCode::IoError, "an earlier sync failed; what was written since may be lost");
  auto synced = co_await m_landing.sync();
  tellIfSyncFailed();
  co_return synced;
}

void StoredFile::tellIfSyncFailed() {
  const std::optional<Error> failure = m_landing.syncFailure();
  if (!failure || m_syncFailed.exchange(true)) return;
  if (m_shared.onSyncFailed) m_shared.onSyncFailed(*failure);
}

// A job must not make recipes of what a crash left beyond the size: they would come to light when the file grows.
Task<Result<void>> StoredFile::prepareForJob() {
  if (m_trimmed.load(std::memory_order_acquire)) co_return Result<void>();
  const auto facts = m_shared.factsOf(m_fileid);
  if (!facts) co_return fail(ErrorCode::Stale, "the file was removed");
  co_return co_await prepare(facts->size);
}

// Of segments not written since the start: not after it, and not after the file was last modified. A restart makes nothing look cold.
std::chrono::steady_clock::time_point StoredFile::lastWriteBeforeStart() const {
  const auto facts = m_shared.factsOf(m_fileid);
  if (!facts) return m_shared.startedAt;
  const std::chrono::nanoseconds age(m_shared.clock.now().unixNs - facts->modified.unixNs);
  return std::min(m_shared.startedAt, m_shared.clock.steady() - age);
}

Task<Result<SegmentView>> StoredFile::view(uint32_t segment) {
  const auto prepared = co_await prepareForJob();
  if (!prepared) co_return fail(prepared.error());
  SegmentView view;
  const auto before = lastWriteBeforeStart();
  {
    const Lock lock(m_mutex);
    const auto found = m_writes.find(segment);
    view.writeCounter = writeCounterOf(segment);
    view.lastWrite = found == m_writes.end() ? before : found->second.lastWrite;
  }
  view.landed = m_landing.landed(segment);  // after the counter: see Writing
  co_return view;
}

Task<Result<std::vector<uint32_t>>> StoredFile::landedSegments() {
  const auto prepared = co_await prepareForJob();
  if (!prepared) co_return fail(prepared.error());
  co_return m_landing.landedSegments();
}

Task<Result<void>> StoredFile::readLanded(uint32_t segment, uint32_t firstBlock, MutableBytes into) {
  QUARRY_CHECK(into.size() % blockBytes == 0 && firstBlock + into.size() / blockBytes <= segmentBlocks);
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return loaded;
  const uint64_t offset = segment * segmentBytes + firstBlock * blockBytes;
  if (isAligned(offset, into)) co_return co_await m_landing.read(offset, into);
  AlignedBuffer buffer(into.size());
  auto read = co_await m_landing.read(offset, buffer.bytes());
  if (read) std::memcpy(into.data(), buffer.data(), into.size());
  co_return read;
}

Task<Result<uint64_t>> StoredFile::punchIfUnchanged(uint32_t segment, uint64_t writeCounter) {
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return fail(loaded.error());
  const uint64_t start = segment * segmentBytes;
  const auto guard = co_await m_landLock.lock(start, start + segmentBytes);
  {
    const Lock lock(m_mutex);
    if (writeCounter != writeCounterOf(segment)) co_return 0;
  }
  if (m_landing.landedCountIn({start, segmentBytes}) == 0) co_return 0;
  m_changeCount.fetch_add(1, std::memory_order_relaxed);
  co_return co_await m_landing.punch({start, segmentBytes});
}

}  // namespace quarry
