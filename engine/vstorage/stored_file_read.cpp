// SPDX-License-Identifier: GPL-3.0-or-later
// The reading side of StoredFile. Readers hold no lock; what moves under them is noticed:
//  - A punch counts up and clears bits before it frees anything. A reader takes the count first and compares it last, so a block that was
//    freed while it read makes it read that segment again, now from the recipe that the punch left behind.
//  - Rehydration lands blocks before it drops their recipe: the reader loads the recipe before it takes the bits, so a block
//    missing in the recipe is found landed.
//  - Garbage collection may delete what only an older recipe names: a failed read of the block store is tried again when the recipe changed.
#include <algorithm>

#include "engine/vstorage/stored_file.h"

namespace quarry {

namespace {
// After that many repetitions a reader takes the lock that punches wait for.
constexpr int lockFreeAttempts = 8;

bool isAligned(uint64_t offset, Bytes data) {
  return offset % blockBytes == 0 && data.size() % blockBytes == 0 && reinterpret_cast<uintptr_t>(data.data()) % blockBytes == 0;
}
}  // namespace

// Which content of a segment a reader saw.
struct StoredFile::Stamp {
  uint64_t cacheId = 0;
  uint64_t counter = 0;
  bool isQuiet = false;  // nothing was being written
};

struct StoredFile::Piece {
  uint32_t segment = 0;
  uint32_t first = 0, count = 0;  // blocks of the segment
  MutableBytes into;
  Reader reader = Reader::Own;
  Stamp stamp;
  uint64_t punchCount = 0;
  LandedBlocks landed;
  std::shared_ptr<const metadata::Recipe> recipe;  // null: none, or not needed

  uint64_t offset() const { return segment * segmentBytes + first * blockBytes; }
  MutableBytes target(uint32_t block, uint32_t blockCount) const { return into.subspan((block - first) * blockBytes, blockCount * blockBytes); }
  bool isWhollyLanded() const {
    for (uint32_t block = first; block < first + count; ++block)
      if (!landed[block]) return false;
    return true;
  }
};

StoredFile::Stamp StoredFile::stamp(uint32_t segment) const {
  const Lock lock(m_mutex);
  const auto found = m_writes.find(segment);
  return {.cacheId = m_cacheId.load(), .counter = writeCounterOf(segment), .isQuiet = found == m_writes.end() || found->second.underway == 0};
}

Task<Result<void>> StoredFile::read(uint64_t offset, MutableBytes into) {
  if (into.empty()) co_return Result<void>();
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return loaded;
  if (isAligned(offset, into)) co_return co_await readAligned(offset, into);
  const uint64_t begin = alignDown(offset, blockBytes);
  AlignedBuffer buffer(alignUp(offset + into.size(), blockBytes) - begin);
  auto read = co_await readAligned(begin, buffer.bytes());
  if (read) std::memcpy(into.data(), buffer.data() + (offset - begin), into.size());
  co_return read;
}

// The parts that are not in RAM, cut at segments.
std::vector<StoredFile::Piece> StoredFile::splitMissing(uint64_t offset, MutableBytes into, std::span<const cache::BlockRef> held, Reader reader) {
  std::vector<Piece> pieces;
  const uint64_t firstBlock = offset / blockBytes;
  for (uint64_t i = 0; i < held.size();) {
    uint64_t end = i;
    while (end < held.size() && !held[end] && (end == i || (firstBlock + end) % segmentBlocks != 0)) ++end;
    if (end > i) {
      Piece piece;
      piece.segment = static_cast<uint32_t>((firstBlock + i) / segmentBlocks);
      piece.first = static_cast<uint32_t>((firstBlock + i) % segmentBlocks);
      piece.count = static_cast<uint32_t>(end - i);
      piece.into = into.subspan(i * blockBytes, (end - i) * blockBytes);
      piece.reader = reader;
      pieces.push_back(std::move(piece));
    }
    i = std::max(end, i + 1);
  }
  return pieces;
}

Task<Result<void>> StoredFile::readAligned(uint64_t offset, MutableBytes into) {
  std::vector<cache::BlockRef> held(into.size() / blockBytes);
  findInRam(offset / blockBytes, held);
  co_return co_await readRest(offset, into, std::move(held), Reader::Own);
}

// Those of `into` that are not there yet.
void StoredFile::findMissing(uint64_t firstBlock, std::span<cache::BlockRef> into, Reader reader) {
  for (size_t i = 0; i < into.size(); ++i)
    if (!into[i]) findInRam(firstBlock + i, into.subspan(i, 1), reader);
}

size_t StoredFile::findForClient(uint64_t firstBlock, std::span<cache::BlockRef> into) {
  const size_t foundCount = findInRam(firstBlock, into, Reader::Client);
  m_dirty.countReads(foundCount, into.size() - foundCount);
  return foundCount;
}

Task<Result<void>> StoredFile::readRest(uint64_t offset, MutableBytes into, std::vector<cache::BlockRef> held, Reader reader) {
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return loaded;
  if (m_aheadLock.isBusy(offset, offset + into.size())) {
    const auto guard = co_await m_aheadLock.lock(offset, offset + into.size());
    findMissing(offset / blockBytes, held, reader);
  }
  std::vector<Piece> missing = splitMissing(offset, into, held, reader);
  if (!missing.empty()) {
    const auto read = co_await readMissing(std::move(missing));
    if (!read) co_return read;
  }
  for (size_t i = 0; i < held.size(); ++i)
    if (held[i]) std::memcpy(into.data() + i * blockBytes, held[i].bytes().data(), blockBytes);
  co_return Result<void>();
}

// Failures are the reader's to see, when it comes there.
Task<void> StoredFile::readAhead(std::shared_ptr<StoredFile> file, cache::BlockRange blocks) {
  const auto guard = co_await file->m_aheadLock.lock(blocks.first * blockBytes, blocks.end() * blockBytes);
  std::vector<cache::BlockRef> held(blocks.count);
  if (file->findInRam(blocks.first, held) == held.size()) co_return;
  AlignedBuffer buffer(blocks.count * blockBytes);
  std::vector<Piece> missing = splitMissing(blocks.first * blockBytes, buffer.bytes(), held, Reader::Own);
  const auto read = co_await file->readMissing(std::move(missing));
  if (!read) co_return;
}

Task<Result<void>> StoredFile::readMissing(std::vector<Piece> pieces) {
  os::RangeLock::Guard guard;
  for (int attempt = 1;; ++attempt) {
    if (attempt == lockFreeAttempts) guard = co_await m_landLock.lock(pieces.front().offset(), pieces.back().offset() + pieces.back().into.size());
    const auto read = co_await readPieces(pieces);
    std::vector<Piece> again;
    for (Piece& piece : pieces) {
      bool repeat = isOvertaken(piece);
      if (!repeat && !read) repeat = co_await recipeChanged(piece);
      if (!repeat && read) cacheLanded(piece);
      if (repeat) again.push_back(std::move(piece));
    }
    if (again.empty()) co_return read;
    if (read) pieces = std::move(again);  // else the failure left the other pieces unread: all again
    else restore(pieces, again);
  }
}

// Puts back what was moved out.
void StoredFile::restore(std::vector<Piece>& pieces, std::vector<Piece>& moved) {
  for (Piece& piece : moved) {
    const auto place = std::ranges::find_if(pieces, [&piece](const Piece& other) { return other.into.data() == piece.into.data(); });
    *place = std::move(piece);
  }
}

size_t StoredFile::findInRam(uint64_t firstBlock, std::span<cache::BlockRef> into, Reader reader) {
  size_t foundCount = m_dirty.find(firstBlock, into);
  for (size_t i = 0; i < into.size(); ++i) {
    const cache::BlockKey key = keyOf(firstBlock + i);
    if (!into[i]) {
      auto clean = m_shared.caches.read().find(key);
      if (!clean) continue;
      into[i] = std::move(*clean);
      ++foundCount;
    }
    if (reader == Reader::Client) m_dirty.noteRead(key);
  }
  if (foundCount == into.size() || !m_landing.isLoaded()) return foundCount;
  for (size_t from = 0; from < into.size();) {
    const uint64_t segment = (firstBlock + from) / segmentBlocks;
    const size_t count = std::min<uint64_t>(into.size() - from, (segment + 1) * segmentBlocks - (firstBlock + from));
    foundCount += findOptimized(static_cast<uint32_t>(segment), (firstBlock + from) % segmentBlocks, into.subspan(from, count), reader);
    from += count;
  }
  return foundCount;
}

// Blocks of one segment that its recipe names, and holes.
size_t StoredFile::findOptimized(uint32_t segment, uint64_t firstBlock, std::span<cache::BlockRef> into, Reader reader) {
  Piece piece;
  piece.segment = segment;
  piece.first = static_cast<uint32_t>(firstBlock);
  piece.count = static_cast<uint32_t>(into.size());
  if (!planFromRam(piece) || piece.isWhollyLanded()) return 0;
  std::vector<std::pair<size_t, std::optional<metadata::PhysicalBlock>>> found;
  for (size_t i = 0; i < into.size(); ++i) {
    const auto block = static_cast<uint32_t>(firstBlock + i);
    if (into[i] || piece.landed[block]) continue;
    const auto physical = piece.recipe ? metadata::physicalBlock(*piece.recipe, block) : std::nullopt;
    auto held = physical ? m_shared.caches.read().find({0, *physical}) : std::optional(m_shared.caches.zeroBlock());
    if (!held) continue;
    into[i] = std::move(*held);
    found.emplace_back(i, physical);
  }
  if (!isOvertaken(piece)) {
    for (const auto& [i, physical] : found)
      if (physical && reader == Reader::Client) m_dirty.noteRead({0, *physical});
    return found.size();
  }
  for (const auto& [i, physical] : found) into[i] = {};
  return 0;
}

// What the landing file gave, unless a write came in between.
void StoredFile::cacheLanded(const Piece& piece) {
  for (uint32_t block = piece.first; block < piece.first + piece.count; ++block) {
    if (!piece.landed[block]) continue;
    const cache::BlockKey key{piece.stamp.cacheId, piece.segment * segmentBlocks + block};
    if (piece.reader == Reader::Client) m_dirty.noteRead(key);
    if (!piece.stamp.isQuiet) continue;
    cache::BlockRef copy = m_shared.caches.copyOf(piece.target(block, 1));
    const Lock lock(m_mutex);
    if (piece.stamp.counter != writeCounterOf(piece.segment)) continue;
    m_shared.caches.read().insert(key, std::move(copy));
  }
}

bool StoredFile::isOvertaken(const Piece& piece) const { return m_landing.punchCount(piece.segment) != piece.punchCount; }

Task<bool> StoredFile::recipeChanged(const Piece& piece) {
  if (!piece.recipe) co_return false;
  const auto now = co_await m_shared.recipes.fetch(m_fileid, piece.segment);
  co_return now && (!*now || **now != *piece.recipe);
}

Task<Result<void>> StoredFile::readPieces(std::vector<Piece>& pieces) {
  std::vector<blockstore::BlockRead> blockReads;
  for (Piece& piece : pieces) {
    if (!planFromRam(piece)) {
      const auto planned = co_await planFromDisk(piece);
      if (!planned) co_return planned;
    }
    const auto read = co_await readLandedPart(piece);
    if (!read) co_return read;
    fillFromRecipe(piece, blockReads);
  }
  if (blockReads.empty()) co_return Result<void>();
  const std::vector<blockstore::BlockRead> asked = blockReads;
  const auto read = co_await m_shared.blocks.read(std::move(blockReads));
  if (!read) co_return read;
  for (const blockstore::BlockRead& run : asked)
    for (uint32_t i = 0; i < run.count; ++i)
      m_shared.caches.read().insert({0, run.first + i}, m_shared.caches.copyOf(run.into.subspan(i * blockBytes, blockBytes)));
  co_return read;
}

// The order of these steps is what the head of this file is about: count, recipe, bits. False: the recipe is on the disk alone, and
// planFromDisk() goes on from there, with the count taken here.
bool StoredFile::planFromRam(Piece& piece) {
  piece.recipe = nullptr;
  piece.stamp = stamp(piece.segment);
  piece.punchCount = m_landing.punchCount(piece.segment);
  piece.landed = m_landing.landed(piece.segment);
  if (piece.isWhollyLanded()) return true;
  auto recipe = m_shared.recipes.cached(m_fileid, piece.segment);
  if (!recipe) return false;
  piece.recipe = std::move(*recipe);
  piece.landed = m_landing.landed(piece.segment);
  return true;
}

Task<Result<void>> StoredFile::planFromDisk(Piece& piece) {
  auto recipe = co_await m_shared.recipes.fetch(m_fileid, piece.segment);
  if (!recipe) co_return fail(recipe.error());
  piece.recipe = std::move(*recipe);
  piece.landed = m_landing.landed(piece.segment);
  co_return Result<void>();
}

// One read from the first landed block to the last: holes between them cost no disk access, and are overwritten after.
Task<Result<void>> StoredFile::readLandedPart(const Piece& piece) {
  uint32_t first = piece.first, last = piece.first + piece.count;
  while (first < last && !piece.landed[first]) ++first;
  while (last > first && !piece.landed[last - 1]) --last;
  if (first == last) co_return Result<void>();
  const MutableBytes part = piece.into.subspan((first - piece.first) * blockBytes, (last - first) * blockBytes);
  co_return co_await m_landing.read(piece.segment * segmentBytes + first * blockBytes, part);
}

void StoredFile::zeroHoles(const Piece& piece, uint32_t from, uint32_t to) {
  for (uint32_t block = from; block < to; ++block)
    if (!piece.landed[block]) std::memset(piece.target(block, 1).data(), 0, blockBytes);
}

void StoredFile::askForExtent(const Piece& piece, const metadata::Extent& extent, uint32_t from, uint32_t to,
                              std::vector<blockstore::BlockRead>& blockReads) {
  uint32_t missing = 0;  // just before `block`
  const auto ask = [&](uint32_t block) {
    if (missing > 0) blockReads.push_back({extent.firstPhysical + (block - missing - extent.firstBlock), missing, piece.target(block - missing, missing)});
    missing = 0;
  };
  for (uint32_t block = from; block < to; ++block) {
    if (piece.landed[block]) {
      ask(block);
      continue;
    }
    const cache::BlockKey key{0, extent.firstPhysical + (block - extent.firstBlock)};
    if (piece.reader == Reader::Client) m_dirty.noteRead(key);
    const auto held = m_shared.caches.read().find(key);
    if (!held) {
      ++missing;
      continue;
    }
    ask(block);
    std::memcpy(piece.target(block, 1).data(), held->bytes().data(), blockBytes);
  }
  ask(to);
}

// Blocks that have not landed: asked of the block store in runs, or zero where no extent is.
void StoredFile::fillFromRecipe(const Piece& piece, std::vector<blockstore::BlockRead>& blockReads) {
  static const metadata::Recipe none;
  const metadata::Recipe& recipe = piece.recipe ? *piece.recipe : none;
  const uint32_t end = piece.first + piece.count;
  auto extent = std::ranges::upper_bound(recipe, piece.first, {}, &metadata::Extent::firstBlock);
  if (extent != recipe.begin()) --extent;
  uint32_t block = piece.first;
  for (; extent != recipe.end() && extent->firstBlock < end; ++extent) {
    const uint32_t from = std::max(extent->firstBlock, piece.first), to = std::min(extent->firstBlock + extent->blockCount, end);
    if (from >= to) continue;
    zeroHoles(piece, block, from);
    askForExtent(piece, *extent, from, to, blockReads);
    block = to;
  }
  zeroHoles(piece, block, end);
}

}  // namespace quarry
