// SPDX-License-Identifier: GPL-3.0-or-later
// A FileData whose landing file is in RAM and always durable; optimized blocks come from a real BlockStore. Hooks let a test write, shorten
// or remove in the middle of a job. Safe from the one io_context of the test.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "engine/blockstore/block_store.h"
#include "engine/metadata/recipe_table.h"
#include "engine/vstorage/file_data.h"

namespace quarry::test {

class FakeFileData : public FileData {
 public:
  FakeFileData(metadata::FileId fileid, metadata::RecipeTable& recipes) : m_fileid(fileid), m_recipes(recipes) {}

  std::function<void(uint32_t)> onRead, onPunch;  // called before it happens, with the segment
  std::function<Result<void>(uint32_t)> readFails;
  std::chrono::steady_clock::time_point writeTime = std::chrono::steady_clock::time_point::min();
  uint64_t blocksRead = 0;

  void put(uint64_t offset, Bytes data) {  // aligned
    for (uint64_t done = 0; done < data.size(); done += blockBytes) {
      const uint64_t block = (offset + done) / blockBytes;
      Segment& segment = m_segments[static_cast<uint32_t>(block / segmentBlocks)];
      std::memcpy(segment.data.data() + block % segmentBlocks * blockBytes, data.data() + done, blockBytes);
      segment.view.landed.set(block % segmentBlocks);
      segment.view.lastWrite = writeTime;
      ++segment.view.writeCounter;
    }
  }
  void dropLandingFrom(uint32_t firstSegment) {
    m_segments.erase(m_segments.lower_bound(firstSegment), m_segments.end());
  }
  void setBlockStore(blockstore::BlockStore* store) { m_store = store; }

  metadata::FileId fileid() const override { return m_fileid; }
  Task<Result<void>> read(uint64_t offset, MutableBytes into) override {  // whole segments
    const auto number = static_cast<uint32_t>(offset / segmentBytes);
    std::fill(into.begin(), into.end(), std::byte{0});
    auto recipe = m_recipes.load(m_fileid, number);
    if (!recipe) co_return fail(recipe.error());
    std::vector<blockstore::BlockRead> reads;
    if (*recipe)
      for (const auto& extent : **recipe)
        reads.push_back({extent.firstPhysical, extent.blockCount, into.subspan(extent.firstBlock * blockBytes, extent.blockCount * blockBytes)});
    auto done = co_await m_store->read(std::move(reads));
    if (!done) co_return done;
    const auto found = m_segments.find(number);
    for (size_t block = 0; found != m_segments.end() && block < segmentBlocks; ++block)
      if (found->second.view.landed[block])
        std::memcpy(into.data() + block * blockBytes, found->second.data.data() + block * blockBytes, blockBytes);
    co_return Result<void>{};
  }
  Task<Result<void>> write(uint64_t offset, Bytes data, uint64_t, os::Durability) override {
    put(offset, data);
    co_return Result<void>{};
  }
  Task<Result<void>> sync() override { co_return Result<void>{}; }
  Task<Result<void>> shorten(uint64_t) override { co_return fail(ErrorCode::NotSupported, "fake"); }
  Task<Result<void>> zeroTail(uint64_t) override { co_return fail(ErrorCode::NotSupported, "fake"); }

  Task<Result<SegmentView>> view(uint32_t segment) override {
    const auto found = m_segments.find(segment);
    co_return found == m_segments.end() ? SegmentView{} : found->second.view;
  }
  Task<Result<std::vector<uint32_t>>> landedSegments() override {
    m_loaded = true;
    std::vector<uint32_t> numbers;
    for (const auto& [number, segment] : m_segments)
      if (segment.view.landed.any()) numbers.push_back(number);
    co_return numbers;
  }
  Task<Result<void>> readLanded(uint32_t segment, uint32_t firstBlock, MutableBytes into) override {
    if (onRead) onRead(segment);
    if (readFails)
      if (auto failed = readFails(segment); !failed) co_return failed;
    const auto found = m_segments.find(segment);
    if (found == m_segments.end()) co_return fail(ErrorCode::IoError, "no such segment");
    std::memcpy(into.data(), found->second.data.data() + firstBlock * blockBytes, into.size());
    blocksRead += into.size() / blockBytes;
    co_return Result<void>{};
  }
  Task<Result<uint64_t>> punchIfUnchanged(uint32_t segment, uint64_t writeCounter) override {
    if (onPunch) onPunch(segment);
    const auto found = m_segments.find(segment);
    if (found == m_segments.end() || found->second.view.writeCounter != writeCounter) co_return uint64_t{0};
    const uint64_t freed = found->second.view.landed.count() * blockBytes;
    found->second.view.landed.reset();
    std::fill(found->second.data.begin(), found->second.data.end(), std::byte{0xee});
    co_return freed;
  }
  // Like the real one, which finds out what has landed only when it is first used.
  uint64_t landedBytes() const override { return m_loaded ? landedBytesNow() : 0; }
  uint64_t landedBytesNow() const {
    uint64_t blocks = 0;
    for (const auto& [number, segment] : m_segments) blocks += segment.view.landed.count();
    return blocks * blockBytes;
  }

 private:
  struct Segment {
    SegmentView view{.writeCounter = 0, .landed = {}, .lastWrite = std::chrono::steady_clock::time_point::min()};
    std::vector<std::byte> data = std::vector<std::byte>(segmentBytes);
  };
  const metadata::FileId m_fileid;
  metadata::RecipeTable& m_recipes;
  blockstore::BlockStore* m_store = nullptr;
  std::map<uint32_t, Segment> m_segments;
  bool m_loaded = false;
};

}  // namespace quarry::test
