// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/blockstore/run_matcher.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/blockstore/fingerprint.h"

namespace quarry::blockstore {
namespace {
constexpr size_t listBlocks = metadata::containerBlocks;  // a location is slot * listBlocks + index in the list
}

RunMatcher::RunMatcher(size_t listsMax)
    : m_listsMax(listsMax), m_slots(listsMax + unsealedMax), m_index((listsMax + unsealedMax) * listBlocks + 1) {}

PhysicalBlock RunMatcher::blockAt(Location at) const { return m_slots[at / listBlocks].number * metadata::containerBlocks + at % listBlocks; }

// The table answers by prefix; keeps those whose whole fingerprint is equal.
FingerprintIndex::Candidates RunMatcher::candidates(const Fingerprint& fingerprint) const {
  FingerprintIndex::Candidates found = m_index.find(prefix(fingerprint));
  size_t kept = 0;
  for (size_t i = 0; i < found.count; ++i)
    if (m_slots[found.at[i] / listBlocks].fingerprints[found.at[i] % listBlocks] == fingerprint) found.at[kept++] = found.at[i];
  found.count = kept;
  return found;
}

void RunMatcher::evict(size_t slot) {
  List& list = m_slots[slot];
  for (size_t i = 0; i < list.fingerprints.size(); ++i) m_index.erase(prefix(list.fingerprints[i]), static_cast<Location>(slot * listBlocks + i));
  m_slotOf.erase(list.number);
  list = List{};
}

size_t RunMatcher::takeSlot(ContainerNumber number, ListState state) {
  size_t slot = m_slots.size(), oldest = m_slots.size(), sealedCount = 0;
  for (size_t i = 0; i < m_slots.size(); ++i) {
    if (m_slots[i].number == 0) {
      slot = i;
    } else if (m_slots[i].state == ListState::Sealed) {
      ++sealedCount;
      if (oldest == m_slots.size() || m_slots[i].lastUse < m_slots[oldest].lastUse) oldest = i;
    }
  }
  if (slot == m_slots.size() || (state == ListState::Sealed && sealedCount >= m_listsMax)) {
    QUARRY_CHECK(oldest < m_slots.size());
    evict(oldest);
    slot = oldest;
  }
  m_slots[slot].number = number;
  m_slots[slot].state = state;
  m_slots[slot].lastUse = ++m_useCounter;
  m_slotOf[number] = slot;
  return slot;
}

void RunMatcher::addList(ContainerNumber number, std::span<const Fingerprint> fingerprints) {
  QUARRY_CHECK(number != 0 && fingerprints.size() <= listBlocks);
  if (holds(number)) return;
  const size_t slot = takeSlot(number, ListState::Sealed);
  m_slots[slot].fingerprints.assign(fingerprints.begin(), fingerprints.end());
  for (size_t i = 0; i < fingerprints.size(); ++i) m_index.insert(prefix(fingerprints[i]), static_cast<Location>(slot * listBlocks + i));
}

void RunMatcher::append(PhysicalBlock block, const Fingerprint& fingerprint) {
  const ContainerNumber number = metadata::containerOf(block);
  const auto found = m_slotOf.find(number);
  const size_t slot = found != m_slotOf.end() ? found->second : takeSlot(number, ListState::UnderConstruction);
  List& list = m_slots[slot];
  QUARRY_CHECK(list.state == ListState::UnderConstruction && list.fingerprints.size() == metadata::indexInContainer(block));
  list.fingerprints.push_back(fingerprint);
  m_index.insert(prefix(fingerprint), static_cast<Location>(slot * listBlocks + list.fingerprints.size() - 1));
}

void RunMatcher::sealed(ContainerNumber number) {
  const auto found = m_slotOf.find(number);
  QUARRY_CHECK(found != m_slotOf.end());
  m_slots[found->second].state = ListState::Sealed;
}

uint32_t RunMatcher::commonLength(Location at, std::span<const Fingerprint> rest) const {
  const std::span<const Fingerprint> stored = std::span(m_slots[at / listBlocks].fingerprints).subspan(at % listBlocks);
  const size_t length = std::min(stored.size(), rest.size());
  uint32_t same = 0;
  while (same < length && stored[same] == rest[same]) ++same;
  return same;
}

std::optional<Run> RunMatcher::longestRun(std::span<const Fingerprint> stretch, uint32_t first, PhysicalBlock expected) {
  const FingerprintIndex::Candidates found = candidates(stretch[first]);
  Run best{.first = first};
  for (size_t i = 0; i < found.count; ++i) {
    const uint32_t count = commonLength(found.at[i], stretch.subspan(first));
    const PhysicalBlock block = blockAt(found.at[i]);
    const bool continues = first == 0 && block == expected;
    if (count < runBlocksMin && count < stretch.size() && !continues) continue;
    if (count <= best.count) continue;
    best.count = count;
    best.block = block;
  }
  if (best.count == 0) return std::nullopt;
  m_slots[m_slotOf.at(metadata::containerOf(best.block))].lastUse = ++m_useCounter;
  return best;
}

std::vector<Run> RunMatcher::match(std::span<const Fingerprint> stretch, PhysicalBlock expected,
                                   const std::function<PhysicalBlock(uint32_t)>& placeNew) {
  std::vector<Run> runs;
  for (uint32_t at = 0; at < stretch.size();) {
    if (const std::optional<Run> shared = longestRun(stretch, at, expected)) {
      runs.push_back(*shared);
      at += shared->count;
      continue;
    }
    const PhysicalBlock block = placeNew(at);
    const bool extends = !runs.empty() && runs.back().isNew && runs.back().block + runs.back().count == block;
    if (extends) ++runs.back().count;
    else runs.push_back({.first = at, .count = 1, .block = block, .isNew = true});
    ++at;
  }
  return runs;
}

}  // namespace quarry::blockstore
