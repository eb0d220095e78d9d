// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/space_guard.h"

#include <algorithm>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/log.h"

namespace quarry {

SpaceGuard::SpaceGuard(os::FileSystem& fileSystem, std::string storePath, const Clock& clock, const std::atomic<uint64_t>& landedBlocksNew,
                       const std::atomic<uint64_t>* dirtyBlocks)
    : m_fileSystem(fileSystem), m_path(std::move(storePath)), m_clock(clock), m_landedBlocksNew(landedBlocksNew), m_dirtyBlocks(dirtyBlocks) {}

SpaceGuard::Space SpaceGuard::poll() {
  const auto now = m_clock.steady();
  if (!m_known || now - m_polledAt >= pollInterval) {
    const uint64_t landed = m_landedBlocksNew.load();  // before asking: what lands meanwhile is counted twice rather than never
    if (const auto disk = m_fileSystem.space(m_path)) {
      m_disk = *disk;
      m_landedAtPoll = landed;
      m_known = true;
    } else {
      log("vstorage").warn("free space unknown: {}", disk.error().message);
    }
    m_polledAt = now;
  }
  const uint64_t dirty = m_dirtyBlocks ? m_dirtyBlocks->load(std::memory_order_relaxed) : 0;
  const uint64_t landedSince = (m_landedBlocksNew.load() - m_landedAtPoll + dirty) * blockBytes;
  Space space;
  space.totalBytes = m_disk.totalBytes;
  space.freeBytes = m_disk.freeBytes - std::min(m_disk.freeBytes, landedSince);
  space.reserveBytes = std::max(m_disk.totalBytes / 100, reserveBytesMin);
  space.availableBytes = space.freeBytes - std::min(space.freeBytes, space.reserveBytes);
  return space;
}

SpaceGuard::Space SpaceGuard::space() {
  const Lock lock(m_mutex);
  return poll();
}

Result<void> SpaceGuard::admit(uint64_t bytes, Use use) {
  const Space now = space();
  const uint64_t kept = use == Use::Ordinary ? now.reserveBytes : use == Use::Rewrite ? now.reserveBytes / 8 : 0;
  if (bytes <= now.freeBytes - std::min(now.freeBytes, kept)) return {};
  return fail(ErrorCode::NoSpace, use == Use::Ordinary ? "the store is full: what is left is kept for rewriting optimized data" : "the disk is full");
}

}  // namespace quarry
