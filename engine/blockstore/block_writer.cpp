// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/block_writer.h"

#include <asio/this_coro.hpp>
#include <algorithm>
#include <charconv>

#include "engine/base/check.h"
#include "engine/blockstore/fingerprint.h"

namespace quarry::blockstore {
namespace {

constexpr size_t unusableMax = 10000, warningsMax = 100;

std::vector<metadata::Hook> hooksOf(const ContainerWriter& container) {
  std::vector<metadata::Hook> hooks;
  const auto& fingerprints = container.fingerprints();
  for (size_t i = 0; i < fingerprints.size(); ++i)
    if (isHook(fingerprints[i])) hooks.push_back({.fingerprint = fingerprints[i], .block = container.number() * metadata::containerBlocks + i});
  return hooks;
}

// The number of "<number>.qc", 0 for any other name.
ContainerNumber numberFromName(std::string_view name) {
  ContainerNumber number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && std::string_view(end, name.data() + name.size()) == ".qc" ? number : 0;
}

}  // namespace

void appendExtent(metadata::Recipe& recipe, const metadata::Extent& extent) {
  if (!recipe.empty()) {
    metadata::Extent& last = recipe.back();
    QUARRY_CHECK(last.firstBlock + last.blockCount <= extent.firstBlock);
    if (last.firstBlock + last.blockCount == extent.firstBlock && last.firstPhysical + last.blockCount == extent.firstPhysical) {
      last.blockCount += extent.blockCount;
      return;
    }
  }
  recipe.push_back(extent);
}

// A number that a file in the folder carries is taken, even if no transaction ever named it: a job that did not finish left it.
Result<std::unique_ptr<BlockWriter>> BlockWriter::open(os::FileSystem& fileSystem, std::string folder, metadata::RecipeTable& recipes,
                                                       asio::thread_pool& workers) {
  const auto files = fileSystem.list(folder);
  if (!files) return fail(files.error());
  ContainerNumber next = recipes.nextContainer();
  for (const os::FileInfo& file : *files) next = std::max(next, numberFromName(file.name) + 1);
  return std::unique_ptr<BlockWriter>(new BlockWriter(fileSystem, std::move(folder), recipes, workers, next));
}

BlockWriter::BlockWriter(os::FileSystem& fileSystem, std::string folder, metadata::RecipeTable& recipes, asio::thread_pool& workers,
                         ContainerNumber nextNumber)
    : m_fileSystem(fileSystem), m_folder(std::move(folder)), m_recipes(recipes), m_workers(workers), m_files(fileSystem, m_folder),
      m_nextNumber(nextNumber), m_sealedThrough(nextNumber - 1) {}

BlockWriter::~BlockWriter() { QUARRY_CHECK(m_sealing.empty()); }

Task<Result<Placement>> BlockWriter::add(const SegmentBlocks& segment) {
  QUARRY_CHECK(segment.data.size() == segmentBytes && segment.fingerprints.size() == segmentBlocks);
  co_await collectSealed(sealingMax);
  if (m_error) co_return fail(*m_error);
  auto loaded = co_await loadLists(segment);
  if (!loaded) co_return fail(loaded.error());
  makeRoom();
  auto work = [this, &segment] { return place(segment); };
  Placement placement = co_await onPool(m_workers, work);
  if (m_open->isFull()) co_await startSealing();
  if (m_error) co_return fail(*m_error);
  co_return placement;
}

// A segment that filled the open container and went on in the spare one leaves the spare alone.
Task<Result<void>> BlockWriter::sealAll() {
  if (!m_open) m_open = std::move(m_spare);
  if (!m_error && m_open && !m_open->isEmpty()) co_await startSealing();
  co_await collectSealed(0);
  if (m_error) co_return fail(*m_error);
  co_return Result<void>{};
}

Task<void> BlockWriter::finish() { return collectSealed(0); }

// Which containers do the hooks lead to that no list in RAM explains?
Result<std::vector<std::pair<Fingerprint, ContainerNumber>>> BlockWriter::findHooks(const SegmentBlocks& segment) {
  std::vector<std::pair<Fingerprint, ContainerNumber>> hits;
  for (size_t i = 0; i < segmentBlocks; ++i) {
    const Fingerprint& fingerprint = segment.fingerprints[i];
    if (!segment.present[i] || !isHook(fingerprint) || m_matcher.knows(fingerprint)) continue;
    const auto block = m_recipes.findHook(fingerprint);
    if (!block) return fail(block.error());
    if (*block) hits.emplace_back(fingerprint, metadata::containerOf(**block));
  }
  return hits;
}

Task<Result<void>> BlockWriter::loadLists(const SegmentBlocks& segment) {
  auto work = [this, &segment] { return findHooks(segment); };
  const auto hits = co_await onPool(m_workers, work);
  if (!hits) co_return fail(hits.error());
  for (const auto& [fingerprint, number] : *hits)
    if (!m_matcher.knows(fingerprint) && !m_unusable.contains(number)) co_await loadList(number);
  co_return Result<void>{};
}

Task<void> BlockWriter::loadList(ContainerNumber number) {
  auto container = co_await m_files.get(number);
  Result<std::vector<Fingerprint>> fingerprints = fail(ErrorCode::Internal, "");
  if (container) fingerprints = co_await (*container)->fingerprints();
  else fingerprints = fail(container.error());
  if (fingerprints) {
    m_matcher.addList(number, *fingerprints);
  } else if (m_unusable.size() < unusableMax) {
    m_unusable.insert(number);
    if (m_warnings.size() < warningsMax) m_warnings.push_back(fingerprints.error().message + "; nothing is shared with it");
  }
}

std::unique_ptr<ContainerWriter> BlockWriter::makeContainer() {
  AlignedBuffer buffer;
  if (!m_buffers.empty()) {
    buffer = std::move(m_buffers.back());
    m_buffers.pop_back();
  }
  return std::make_unique<ContainerWriter>(m_nextNumber++, std::move(buffer));
}

void BlockWriter::makeRoom() {
  if (!m_open) m_open = m_spare ? std::move(m_spare) : makeContainer();
  if (m_open->room() < segmentBlocks && !m_spare) m_spare = makeContainer();
}

Placement BlockWriter::place(const SegmentBlocks& segment) {
  Placement placement;
  if (!segment.followsLast) m_lastBlock = 0;
  for (uint32_t first = 0; first < segmentBlocks;) {
    uint32_t end = first;
    while (end < segmentBlocks && segment.present[end]) ++end;
    if (end > first) placeStretch(segment, first, end - first, placement);
    first = end + 1;
  }
  if (!segment.present[segmentBlocks - 1]) m_lastBlock = 0;
  return placement;
}

void BlockWriter::placeStretch(const SegmentBlocks& segment, uint32_t first, uint32_t count, Placement& placement) {
  const PhysicalBlock expected = first == 0 && m_lastBlock != 0 ? m_lastBlock + 1 : 0;
  const auto runs = m_matcher.match(segment.fingerprints.subspan(first, count), expected,
                                    [&](uint32_t block) { return storeNew(segment, first + block); });
  for (const Run& run : runs) {
    appendExtent(placement.extents, {.firstBlock = first + run.first, .blockCount = run.count, .firstPhysical = run.block});
    // A run of new blocks may begin in one container and end in the next.
    placement.newestContainer = std::max(placement.newestContainer, metadata::containerOf(run.block + run.count - 1));
    (run.isNew ? placement.newBlocks : placement.duplicateBlocks) += run.count;
    m_lastBlock = run.block + run.count - 1;
  }
}

PhysicalBlock BlockWriter::storeNew(const SegmentBlocks& segment, uint32_t block) {
  ContainerWriter& container = m_open->isFull() ? *m_spare : *m_open;
  const Fingerprint& fingerprint = segment.fingerprints[block];
  const PhysicalBlock physical = container.append(fingerprint, segment.data.subspan(block * blockBytes, blockBytes), segment.level);
  m_matcher.append(physical, fingerprint);
  return physical;
}

Task<void> BlockWriter::startSealing() {
  co_await collectSealed(sealingMax - 1);
  if (m_error) co_return;
  const auto executor = co_await asio::this_coro::executor;
  auto container = std::exchange(m_open, nullptr);
  Spawned<Result<metadata::ContainerRow>> row(executor, container->seal(m_fileSystem, m_folder, m_workers));
  m_sealing.push_back({.container = std::move(container), .row = std::move(row)});
}

// Takes in what is sealed, oldest first, and waits until at most `leftMax` are left.
Task<void> BlockWriter::collectSealed(size_t leftMax) {
  while (!m_sealing.empty() && (m_sealing.size() > leftMax || m_sealing.front().row.isReady())) {
    const auto row = co_await m_sealing.front().row.get();
    ContainerWriter& container = *m_sealing.front().container;
    m_buffers.push_back(container.takeBuffer());
    if (row && !m_error) {
      m_sealed.push_back({.row = *row, .hooks = hooksOf(container)});
      m_sealedThrough = container.number();
      m_matcher.sealed(container.number());
    } else if (!row && !m_error) {
      m_error = row.error();
    }
    m_sealing.pop_front();
  }
}

}  // namespace quarry::blockstore
