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

struct StoredFile::Piece {
  uint32_t segment = 0;
  uint32_t first = 0, count = 0;  // blocks of the segment
  MutableBytes into;
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

Task<Result<void>> StoredFile::read(uint64_t offset, MutableBytes into) {
  if (into.empty()) co_return Result<void>();
  const auto loaded = co_await m_landing.load();
  if (!loaded) co_return loaded;
  if (isAligned(offset, into)) co_return co_await readAligned(offset, into, Locking::NotHeld);
  const uint64_t begin = alignDown(offset, blockBytes);
  AlignedBuffer buffer(alignUp(offset + into.size(), blockBytes) - begin);
  auto read = co_await readAligned(begin, buffer.bytes(), Locking::NotHeld);
  if (read) std::memcpy(into.data(), buffer.data() + (offset - begin), into.size());
  co_return read;
}

std::vector<StoredFile::Piece> StoredFile::split(uint64_t offset, MutableBytes into) {
  std::vector<Piece> pieces;
  for (uint64_t done = 0; done < into.size();) {
    const uint64_t at = offset + done;
    const uint64_t length = std::min(into.size() - done, segmentBytes - at % segmentBytes);
    Piece piece;
    piece.segment = static_cast<uint32_t>(at / segmentBytes);
    piece.first = static_cast<uint32_t>(at % segmentBytes / blockBytes);
    piece.count = static_cast<uint32_t>(length / blockBytes);
    piece.into = into.subspan(done, length);
    pieces.push_back(std::move(piece));
    done += length;
  }
  return pieces;
}

Task<Result<void>> StoredFile::readAligned(uint64_t offset, MutableBytes into, Locking locking) {
  std::vector<Piece> pieces = split(offset, into);
  os::RangeLock::Guard guard;
  for (int attempt = 1;; ++attempt) {
    if (attempt > lockFreeAttempts && locking == Locking::NotHeld) {
      guard = co_await lock(offset, offset + into.size());
      locking = Locking::Held;
    }
    const auto read = co_await readPieces(pieces);
    std::vector<Piece> again;
    for (Piece& piece : pieces) {
      bool repeat = isOvertaken(piece);
      if (!repeat && !read) repeat = co_await recipeChanged(piece);
      if (repeat) again.push_back(std::move(piece));
    }
    if (again.empty()) co_return read;
    if (!read) again = split(offset, into);  // the failure left the other pieces unread
    pieces = std::move(again);
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
  co_return co_await m_shared.blocks.read(std::move(blockReads));
}

// The order of these steps is what the head of this file is about: count, recipe, bits. False: the recipe is on the disk alone, and
// planFromDisk() goes on from there, with the count taken here.
bool StoredFile::planFromRam(Piece& piece) {
  piece.recipe = nullptr;
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
  for (uint32_t block = from; block < to;) {
    uint32_t count = 0;
    while (block + count < to && !piece.landed[block + count]) ++count;
    if (count > 0) blockReads.push_back({extent.firstPhysical + (block - extent.firstBlock), count, piece.target(block, count)});
    block += std::max(count, 1u);
  }
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
