// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/savings_accountant.h"

#include <algorithm>
#include <asio/post.hpp>
#include <utility>

#include "engine/base/log.h"

namespace quarry {

namespace {
using metadata::ContainerNumber;
using metadata::FileId;

// A file whose blocks are being overwritten shadows its recipe a little more with every write: not worth reading all of it each time.
constexpr std::chrono::seconds shadowAgeMax{15};

// 128 bits hold the product of two byte counts.
__extension__ using Wide = unsigned __int128;
uint64_t scaled(uint64_t value, uint64_t part, uint64_t whole) { return whole == 0 ? 0 : static_cast<uint64_t>(Wide{value} * part / whole); }

void setRatio(protocol::Savings& savings) {
  const uint64_t nonZero = savings.logicalBytes - savings.zeroBytes;
  savings.savedRatio = nonZero == 0 ? 0 : static_cast<double>(savings.duplicateBytes + savings.compressedAwayBytes) / static_cast<double>(nonZero);
}

// Of a container: what its live blocks cost, whole and per reference.
struct ContainerCost {
  uint64_t references = 0;
  uint64_t rawBytes = 0;   // distinct live bytes, at most what is referred to
  uint64_t fileBytes = 0;  // on the disk, at most rawBytes
};
using ContainerCosts = std::unordered_map<ContainerNumber, ContainerCost>;

struct OptimizedBytes {
  uint64_t referenced = 0, raw = 0, stored = 0;
};

OptimizedBytes shareOf(const std::vector<std::pair<ContainerNumber, uint64_t>>& references, const ContainerCosts& costs) {
  OptimizedBytes share;
  for (const auto& [container, count] : references) {
    share.referenced += count * blockBytes;
    const auto cost = costs.find(container);
    if (cost == costs.end()) continue;
    share.raw += scaled(cost->second.rawBytes, count, cost->second.references);
    share.stored += scaled(cost->second.fileBytes, count, cost->second.references);
  }
  return share;
}

// logical = zero + duplicate + compressedAway + stored holds exactly: blocks reach beyond the end of a file, bytes shown do not.
protocol::Savings savingsOf(uint64_t size, uint64_t landedBytes, const OptimizedBytes& share) {
  protocol::Savings savings;
  savings.logicalBytes = size;
  savings.landingBytes = std::min(landedBytes, size);
  const uint64_t optimized = std::min(share.referenced, size - savings.landingBytes);
  const uint64_t stored = std::min(share.stored, optimized);
  const uint64_t raw = std::clamp(share.raw, stored, optimized);
  savings.zeroBytes = size - savings.landingBytes - optimized;
  savings.duplicateBytes = optimized - raw;
  savings.compressedAwayBytes = raw - stored;
  savings.storedBytes = savings.landingBytes + stored;
  setRatio(savings);
  return savings;
}
}  // namespace

void add(protocol::Savings& sum, const protocol::Savings& part) {
  sum.logicalBytes += part.logicalBytes;
  sum.zeroBytes += part.zeroBytes;
  sum.duplicateBytes += part.duplicateBytes;
  sum.compressedAwayBytes += part.compressedAwayBytes;
  sum.storedBytes += part.storedBytes;
  sum.landingBytes += part.landingBytes;
  setRatio(sum);
}

protocol::Savings SavingsSnapshot::file(FileId fileid) const {
  const auto found = files.find(fileid);
  return found == files.end() ? protocol::Savings() : found->second;
}

protocol::Savings SavingsSnapshot::vstorage(metadata::VstorageId id) const {
  const auto found = vstorages.find(id);
  return found == vstorages.end() ? protocol::Savings() : found->second;
}

// What one computation works with.
struct SavingsAccountant::FileFacts {
  FileId fileid = 0;
  metadata::VstorageId vstorage = 0;
  uint64_t size = 0;
  uint64_t landedBytes = 0;
};

SavingsAccountant::SavingsAccountant(metadata::InodeTable& inodes, metadata::RecipeTable& recipes, FileDataTable& files, const Clock& clock)
    : m_inodes(inodes), m_recipes(recipes), m_files(files), m_clock(clock), m_last{std::make_shared<SavingsSnapshot>(), 0, {}} {}

SavingsAccountant::~SavingsAccountant() { stop(); }

void SavingsAccountant::stop() {
  {
    const Lock lock(m_mutex);  // who asks after this is answered at once, who asked before by the computation that still ends
    m_isStopped = true;
  }
  m_thread.join();
}

std::shared_ptr<const SavingsSnapshot> SavingsAccountant::last() const {
  const Lock lock(m_mutex);
  return m_last.snapshot;
}

// What was begun before it was asked for may be too old; what begins after never is, so nobody waits for more than two.
Task<std::shared_ptr<const SavingsSnapshot>> SavingsAccountant::current(std::chrono::milliseconds ageMax) {
  const auto asked = m_clock.steady();
  uint64_t begunBefore = 0;
  {
    const Lock lock(m_mutex);
    if (m_last.number > 0 && m_changed.empty() && asked - m_last.begun < ageMax) co_return m_last.snapshot;
    begunBefore = m_begunCount;
  }
  for (;;) {
    const auto join = [this](std::function<void(Computed)> done) { whenComputed(std::move(done)); };
    const Computed computed = co_await awaitCallback<Computed>(join);
    if (computed.number > begunBefore || asked - computed.begun < ageMax || m_isStopped) co_return computed.snapshot;
  }
}

void SavingsAccountant::measure(std::function<void(std::shared_ptr<const SavingsSnapshot>)> done) {
  whenComputed([done = std::move(done)](const Computed& computed) { done(computed.snapshot); });
}

void SavingsAccountant::whenComputed(std::function<void(Computed)> done) {
  Computed last;
  {
    const Lock lock(m_mutex);
    if (!m_isStopped) {
      m_waiters.push_back(std::move(done));
      if (!std::exchange(m_isComputing, true)) asio::post(m_thread, [this] { computeNow(); });
      return;
    }
    last = m_last;
  }
  done(std::move(last));
}

void SavingsAccountant::computeNow() {
  Computed computed;
  computed.begun = m_clock.steady();
  {
    const Lock lock(m_mutex);
    computed.number = ++m_begunCount;
  }
  computed.snapshot = compute();
  std::vector<std::function<void(Computed)>> waiters;
  {
    const Lock lock(m_mutex);
    if (m_isStopped) computed = m_last;  // what was computed may lack files
    m_last = computed;
    m_isComputing = false;
    waiters.swap(m_waiters);
  }
  for (const auto& wake : waiters) wake(computed);
}

void SavingsAccountant::recipesChanged(FileId fileid) {
  const Lock lock(m_mutex);
  m_changed.insert(fileid);
}

std::vector<SavingsAccountant::FileFacts> SavingsAccountant::gather() {
  std::set<FileId> changed;
  {
    const Lock lock(m_mutex);
    changed.swap(m_changed);
  }
  std::vector<FileFacts> facts;
  for (const metadata::VstorageRow& row : m_inodes.vstorages()) {
    for (const FileId fileid : m_inodes.regularFiles(row.id)) {
      if (m_isStopped) return {};
      const auto inode = m_inodes.get(fileid);
      if (!inode) continue;
      const auto file = m_files.get(fileid);
      if (auto loaded = file->landing().loadBlocking(); !loaded && loaded.error().code != ErrorCode::Stale)
        log("vstorage").warn("savings of {}/{}: {}", row.name, m_inodes.path(fileid), loaded.error().message);
      facts.push_back({fileid, row.id, inode->size, file->landedBytes()});
      FileShares& shares = m_shares[fileid];
      if (changed.contains(fileid) || isOutdated(fileid, shares)) readShares(fileid, shares);
    }
  }
  std::set<FileId> present;
  for (const FileFacts& fact : facts) present.insert(fact.fileid);
  std::erase_if(m_shares, [&present](const auto& entry) { return !present.contains(entry.first); });
  return facts;
}

bool SavingsAccountant::isOutdated(FileId fileid, const FileShares& shares) {
  const metadata::RecipeStats stats = m_recipes.stats(fileid);
  if (stats.referencedBlocks != shares.stats.referencedBlocks || stats.segmentCount != shares.stats.segmentCount) return true;
  if (stats.segmentCount == 0) return false;
  return m_files.get(fileid)->changeCount() != shares.changeCount && m_clock.steady() - shares.readAt >= shadowAgeMax;
}

void SavingsAccountant::readShares(FileId fileid, FileShares& shares) {
  const auto file = m_files.get(fileid);
  FileShares fresh;
  fresh.stats = m_recipes.stats(fileid);
  fresh.changeCount = file->changeCount();
  fresh.readAt = m_clock.steady();
  const auto recipes = m_recipes.loadAll(fileid);
  if (!recipes) {
    log("vstorage").warn("savings of {}: {}", m_inodes.path(fileid), recipes.error().message);
    shares.readAt = fresh.readAt;
    shares.stats = fresh.stats;
    return;
  }
  std::unordered_map<ContainerNumber, uint64_t> counts;
  for (const auto& [segment, recipe] : *recipes) {
    const LandedBlocks landed = file->landing().landed(segment);
    for (const metadata::Extent& extent : recipe)
      for (uint32_t i = 0; i < extent.blockCount; ++i)
        if (!landed[extent.firstBlock + i]) ++counts[metadata::containerOf(extent.firstPhysical + i)];
  }
  fresh.references.assign(counts.begin(), counts.end());
  shares = std::move(fresh);
}

std::shared_ptr<const SavingsSnapshot> SavingsAccountant::compute() {
  const std::vector<FileFacts> facts = gather();
  ContainerCosts costs;
  for (const auto& [fileid, shares] : m_shares)
    for (const auto& [container, count] : shares.references) costs[container].references += count;
  for (const metadata::ContainerRow& row : m_recipes.containers()) {
    const auto cost = costs.find(row.number);
    if (cost == costs.end()) continue;
    cost->second.rawBytes = std::min(row.rawBytes, cost->second.references * blockBytes);
    cost->second.fileBytes = std::min(row.fileBytes, cost->second.rawBytes);
  }
  auto snapshot = std::make_shared<SavingsSnapshot>();
  for (const FileFacts& fact : facts) {
    const protocol::Savings savings = savingsOf(fact.size, fact.landedBytes, shareOf(m_shares[fact.fileid].references, costs));
    snapshot->files[fact.fileid] = savings;
    add(snapshot->vstorages[fact.vstorage], savings);
    add(snapshot->total, savings);
  }
  return snapshot;
}

}  // namespace quarry
