// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dedup/segment_loader.h"

#include "engine/blockstore/fingerprint.h"

namespace quarry::dedup {
namespace {
constexpr size_t buffersMax = 32;
constexpr uint32_t gapBlocksMax = 16;
}

AlignedBuffer SegmentLoader::takeBuffer() {
  {
    Lock lock(m_mutex);
    if (!m_buffers.empty()) {
      AlignedBuffer buffer = std::move(m_buffers.back());
      m_buffers.pop_back();
      return buffer;
    }
  }
  return AlignedBuffer(segmentBytes);
}

void SegmentLoader::recycle(LoadedSegment&& segment) {
  Lock lock(m_mutex);
  if (segment.data.size() == segmentBytes && m_buffers.size() < buffersMax) m_buffers.push_back(std::move(segment.data));
}

Task<Result<LoadedSegment>> SegmentLoader::load(std::shared_ptr<const OpenFile> file, uint32_t segment,
                                                std::chrono::steady_clock::time_point coldBefore) {
  LoadedSegment loaded;
  const std::optional<uint64_t> truncateCounter = m_source.truncateCounter(file->source.fileid);
  const auto view = co_await file->data->view(segment);
  const bool gone = !truncateCounter || (!view && view.error().code == ErrorCode::Stale);
  if (gone) co_return loaded;
  if (!view) co_return fail(view.error());
  if (view->landed.none()) co_return loaded;
  loaded.truncateCounter = *truncateCounter;
  loaded.writeCounter = view->writeCounter;
  loaded.landed = view->landed;
  if (view->lastWrite >= coldBefore) {
    loaded.state = SegmentState::Young;
    co_return loaded;
  }
  auto existingWork = [this, fileid = file->source.fileid, segment] { return m_recipes.load(fileid, segment); };
  auto existing = co_await onPool(m_workers, existingWork);
  if (!existing) co_return fail(existing.error());
  loaded.existing = std::move(*existing);
  loaded.data = takeBuffer();
  const auto read = co_await readLanded(*file->data, segment, loaded);
  const auto changed = co_await hasChanged(*file, segment, loaded);
  if (!changed) co_return fail(changed.error());
  loaded.state = *changed ? SegmentState::Changing : SegmentState::Loaded;
  if (*changed) co_return loaded;
  if (!read) co_return fail(read.error());
  auto fingerprintWork = [this, &loaded] {
    fingerprint(loaded);
    return true;
  };
  co_await onPool(m_workers, fingerprintWork);
  co_return loaded;
}

// Stretches with a short gap between them are one read: a hole costs the disk nothing, a read of its own does.
Task<Result<void>> SegmentLoader::readLanded(FileData& data, uint32_t segment, LoadedSegment& loaded) {
  for (uint32_t first = 0, next = 0; first < segmentBlocks; first = next) {
    uint32_t end = first;
    for (next = first; next < segmentBlocks && next - end <= gapBlocksMax; ++next) {
      if (loaded.landed[next]) end = next + 1;
      else if (end == first) break;  // nothing landed here yet
    }
    if (end == first) {
      next = first + 1;
      continue;
    }
    auto read = co_await data.readLanded(segment, first, loaded.data.bytes().subspan(first * blockBytes, (end - first) * blockBytes));
    if (!read) co_return read;
  }
  co_return Result<void>{};
}

Task<Result<bool>> SegmentLoader::hasChanged(const OpenFile& file, uint32_t segment, const LoadedSegment& loaded) {
  const auto view = co_await file.data->view(segment);
  if (m_source.truncateCounter(file.source.fileid) != loaded.truncateCounter) co_return true;
  if (!view) co_return fail(view.error());
  co_return view->writeCounter != loaded.writeCounter;
}

void SegmentLoader::fingerprint(LoadedSegment& loaded) const {
  blockstore::Fingerprinter fingerprinter(m_key);
  loaded.fingerprints.resize(segmentBlocks);
  for (size_t block = 0; block < segmentBlocks; ++block) {
    if (!loaded.landed[block]) continue;
    const Bytes bytes = loaded.data.bytes().subspan(block * blockBytes, blockBytes);
    if (isZero(bytes)) continue;
    loaded.present.set(block);
    loaded.fingerprints[block] = fingerprinter(bytes);
  }
}

}  // namespace quarry::dedup
