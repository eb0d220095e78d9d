// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/block_store.h"

#include <asio/this_coro.hpp>

#include "engine/blockstore/container_files.h"
#include "engine/blockstore/parallel.h"
#include "engine/blockstore/read_plan.h"

namespace quarry::blockstore {
namespace {

constexpr size_t readsAtOnceMax = 16;  // of one call: bounds what a single large read takes in RAM and in the ring

constexpr uint64_t inlineBytesMax = 32 << 10;

class BlockStoreImpl : public BlockStore {
 public:
  BlockStoreImpl(os::FileSystem& fileSystem, std::string folder, const StoreKey& key, asio::thread_pool& workers)
      : m_files(fileSystem, std::move(folder)), m_key(key), m_workers(workers) {}

  Task<Result<void>> read(std::vector<BlockRead> reads) override;
  const StoreKey& key() const override { return m_key; }

 private:
  Task<Result<void>> readAll(std::span<DiskRead> reads);
  Task<Result<void>> deliverAll(std::span<DiskRead> reads);

  ContainerFiles m_files;
  const StoreKey m_key;
  asio::thread_pool& m_workers;
};

Task<Result<void>> readOne(std::shared_ptr<ContainerReader> container, uint64_t offset, MutableBytes into) {
  return container->readAligned(offset, into);
}

Task<Result<void>> BlockStoreImpl::read(std::vector<BlockRead> reads) {
  const std::vector<FramePart> parts = splitIntoFrames(reads);
  std::vector<DiskRead> diskReads;
  for (size_t first = 0, end = 0; first < parts.size(); first = end) {
    while (end < parts.size() && parts[end].container == parts[first].container) ++end;
    auto container = co_await m_files.get(parts[first].container);
    if (!container) co_return fail(container.error());
    auto planned = planReads(std::span(parts).subspan(first, end - first), *container, diskReads);
    if (!planned) co_return planned;
  }
  for (size_t first = 0; first < diskReads.size(); first += readsAtOnceMax) {
    const std::span<DiskRead> batch = std::span(diskReads).subspan(first, std::min(readsAtOnceMax, diskReads.size() - first));
    auto read = co_await readAll(batch);
    if (!read) co_return read;
    auto delivered = co_await deliverAll(batch);
    if (!delivered) co_return delivered;
  }
  co_return Result<void>{};
}

Task<Result<void>> BlockStoreImpl::readAll(std::span<DiskRead> reads) {
  for (DiskRead& read : reads) read.buffer = AlignedBuffer(read.bytes);
  if (reads.size() == 1) co_return co_await readOne(reads[0].container, reads[0].offset, reads[0].buffer.bytes());
  const auto executor = co_await asio::this_coro::executor;
  std::vector<Spawned<Result<void>>> started;
  started.reserve(reads.size());
  for (DiskRead& read : reads) started.emplace_back(executor, readOne(read.container, read.offset, read.buffer.bytes()));
  Result<void> outcome;
  for (Spawned<Result<void>>& one : started) {
    auto result = co_await one.get();
    if (!result && outcome) outcome = std::move(result);
  }
  co_return outcome;
}

Task<Result<void>> BlockStoreImpl::deliverAll(std::span<DiskRead> reads) {
  // A frame or two are decoded sooner than a worker wakes.
  if (reads.size() == 1 && reads[0].bytes <= inlineBytesMax) co_return deliver(reads[0]);
  std::vector<Result<void>> outcomes(reads.size());
  auto work = [&](size_t i) {
    outcomes[i] = deliver(reads[i]);
    reads[i].buffer = AlignedBuffer();
  };
  co_await forEachOnPool(m_workers, reads.size(), work);
  for (Result<void>& outcome : outcomes)
    if (!outcome) co_return std::move(outcome);
  co_return Result<void>{};
}

}  // namespace

std::unique_ptr<BlockStore> BlockStore::open(os::FileSystem& fileSystem, std::string folder, metadata::RecipeTable&, const StoreKey& key,
                                             asio::thread_pool& workers) {
  return std::make_unique<BlockStoreImpl>(fileSystem, std::move(folder), key, workers);
}

}  // namespace quarry::blockstore
