// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_pool.h"

#include <QTest>
#include <cstring>
#include <thread>
#include <vector>

#include "engine/cache/cache_budget.h"
#include "tests/engine/cache/cache_site.h"

using namespace quarry;
using namespace quarry::cache;

namespace {
constexpr uint64_t mib = uint64_t{1} << 20;

std::vector<BlockRef> touched(BlockPool& pool, uint64_t bytes) {
  std::vector<BlockRef> blocks;
  for (uint64_t i = 0; i < bytes / blockBytes; ++i) {
    blocks.push_back(pool.allocateBeyond());
    std::memset(blocks.back().fill().data(), 1, blockBytes);
  }
  return blocks;
}

// What the process takes beyond `before` is what is wanted, and the pool knows it.
bool takes(const BlockPool& pool, uint64_t before, uint64_t wanted) {
  const uint64_t resident = residentBytesOfProcess() - before, tolerance = wanted / 32 + 4 * mib;
  const auto isNear = [&](uint64_t value) { return value + tolerance >= wanted && value <= wanted + tolerance; };
  return isNear(pool.residentBytes()) && (!residentMemoryIsOurs || isNear(resident));
}
}  // namespace

class BlockPoolTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void atTheLimitNothingIsGivenUnlessAskedBeyondIt() {
    BlockPool pool(mib, 4 * blockBytes);
    std::vector<BlockRef> blocks;
    while (auto block = pool.tryAllocate()) blocks.push_back(std::move(*block));
    QCOMPARE(blocks.size(), size_t{4});
    QCOMPARE(pool.beyondCount(), uint64_t{0});
    blocks.push_back(pool.allocateBeyond());
    QCOMPARE(pool.beyondCount(), uint64_t{1});
    QCOMPARE(pool.usedBytes(), 5 * blockBytes);
    blocks.pop_back();
    QVERIFY(!pool.tryAllocate());
    blocks.pop_back();
    QVERIFY(pool.tryAllocate());
  }

  void aBlockIsFreeWhenItsLastReferenceGoes() {
    BlockPool pool(mib, mib);
    BlockRef block = pool.allocateBeyond();
    QVERIFY(block.isSole());
    BlockRef copy = block;
    QVERIFY(!block.isSole());
    QVERIFY(copy == block);
    QCOMPARE(copy.bytes().data(), block.bytes().data());
    block = {};
    QVERIFY(!block);
    QVERIFY(copy.isSole());
    const BlockRef moved = std::move(copy);
    QVERIFY(copy == BlockRef());
    QCOMPARE(pool.usedBytes(), blockBytes);
    QVERIFY(moved.isSole());
    const uint32_t index = pool.detach(pool.allocateBeyond());
    const BlockRef shared = pool.share(index), adopted = pool.adopt(index);
    QVERIFY(shared == adopted);
    QCOMPARE(pool.usedBytes(), 2 * blockBytes);
  }

  void noTwoBlocksShareAPage() {
    BlockPool pool(4 * mib, 4 * mib);
    std::vector<BlockRef> blocks;
    for (uint64_t round = 0; round < 3; ++round) {
      for (uint64_t i = blocks.size(); i < 1024; ++i) blocks.push_back(pool.allocateBeyond());
      for (uint64_t i = 0; i < blocks.size(); ++i) storeLittle<uint64_t>(blocks[i].fill().data(), i);
      for (uint64_t i = 0; i < blocks.size(); ++i) QCOMPARE(loadLittle<uint64_t>(blocks[i].bytes().data()), i);
      for (uint64_t i = round; i < blocks.size(); i += 2) std::swap(blocks[i], blocks.back()), blocks.pop_back();
    }
  }

  // Allocation must not fail although all free blocks are on other threads' shelves.
  void aThreadFindsWhatOthersFreed() {
    BlockPool pool(64 * blockBytes, 64 * blockBytes);
    std::vector<BlockRef> blocks = touched(pool, 64 * blockBytes);
    std::thread([&blocks] { blocks.clear(); }).join();
    QCOMPARE(pool.usedBytes(), uint64_t{0});
    blocks = touched(pool, 64 * blockBytes);
    QCOMPARE(pool.residentBytes(), 64 * blockBytes);
  }

  void residentMemoryFollowsTheLimit() {
    BlockPool pool(512 * mib, 256 * mib);
    const uint64_t before = residentBytesOfProcess();
    std::vector<BlockRef> blocks = touched(pool, 256 * mib);
    QVERIFY(takes(pool, before, 256 * mib));
    pool.setLimit(64 * mib);  // blocks in use stay
    QVERIFY(takes(pool, before, 256 * mib));
    blocks.resize(32 * mib / blockBytes);
    QVERIFY(takes(pool, before, 64 * mib));
    pool.setLimit(32 * mib);  // now free pages
    QVERIFY(takes(pool, before, 32 * mib));
    pool.setLimit(256 * mib);
    for (const BlockRef& block : touched(pool, 128 * mib)) QCOMPARE(block.bytes()[0], std::byte{1});
    QVERIFY(takes(pool, before, 160 * mib));  // kept for the next
  }

  void manyThreadsAllocateAndFree() {
    constexpr uint64_t limit = 512 * blockBytes;
    BlockPool pool(4 * limit, limit);
    std::atomic<int> faults = 0;
    const auto work = [&](uint64_t own) {
      std::vector<BlockRef> held;
      for (uint64_t i = 0; i < 20'000; ++i) {
        auto block = i % 16 == 0 ? std::optional(pool.allocateBeyond()) : pool.tryAllocate();
        if (block) {
          storeLittle<uint64_t>(block->fill().data(), own << 32 | i);
          held.push_back(std::move(*block));
        }
        if (held.size() < 150 && block) continue;
        if (held.empty()) continue;
        const BlockRef copy = held[i % held.size()];
        faults += loadLittle<uint64_t>(copy.bytes().data()) >> 32 != own;
        std::swap(held[i % held.size()], held.back());
        held.pop_back();
      }
    };
    std::vector<std::thread> threads;
    for (uint64_t own = 1; own <= 4; ++own) threads.emplace_back(work, own);
    for (int i = 0; i < 50; ++i) {
      pool.setLimit(limit / static_cast<uint64_t>(1 + i % 4));
      std::this_thread::yield();
    }
    for (auto& thread : threads) thread.join();
    QCOMPARE(faults.load(), 0);
    QCOMPARE(pool.usedBytes(), uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(BlockPoolTest)
#include "block_pool_test.moc"
