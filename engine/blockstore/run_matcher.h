// SPDX-License-Identifier: GPL-3.0-or-later
// Finds runs: consecutive blocks of a file that match consecutive stored blocks. It knows the fingerprint lists of the containers under
// construction and of the 64 last useful ones; BlockWriter brings a list in when a hook of the data leads to its container, and then the
// neighbours of the hook are found here without any index.
//
// A run is shared when it has at least 4 blocks, or is a whole stretch (what lies between two holes), or goes on where the stretch
// before it, in the segment before, ended. Shorter ones would cost more seeks than they save: their blocks are stored again.
// Matching goes from left to right over lists that are all there before it begins; a run that a later block belongs to is therefore met at
// its first block, which is what extending backwards from a hook would find.
//
// Threads: one at a time. Memory: 64 KiB a list, 16 MiB of table. Cannot fail.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/blockstore/block_store.h"
#include "engine/blockstore/fingerprint_index.h"

namespace quarry::blockstore {

// Consecutive blocks of a stretch that are, or are placed in, consecutive physical blocks.
struct Run {
  uint32_t first = 0;  // in the stretch
  uint32_t count = 0;
  PhysicalBlock block = 0;
  bool isNew = false;
  bool operator==(const Run&) const = default;
};

class RunMatcher {
 public:
  static constexpr size_t listsMaxDefault = 64, unsealedMax = 8;
  static constexpr uint32_t runBlocksMin = 4;

  explicit RunMatcher(size_t listsMax = listsMaxDefault);

  bool holds(ContainerNumber number) const { return m_slotOf.contains(number); }
  bool knows(const Fingerprint& fingerprint) const { return candidates(fingerprint).count > 0; }

  // The whole list of a sealed container. Evicts the one unused for longest when 64 are there.
  void addList(ContainerNumber number, std::span<const Fingerprint> fingerprints);
  // The next block of a container under construction; its list stays until it is sealed, at most 8 at once.
  void append(PhysicalBlock block, const Fingerprint& fingerprint);
  void sealed(ContainerNumber number);

  // Splits a stretch into runs, in order. placeNew(i) stores block i of the stretch, calls append() for it, and answers where it is.
  // `expected`: the physical block that would continue what precedes the stretch; 0: nothing does.
  std::vector<Run> match(std::span<const Fingerprint> stretch, PhysicalBlock expected, const std::function<PhysicalBlock(uint32_t)>& placeNew);

 private:
  enum class ListState { Sealed, UnderConstruction };
  struct List {
    ContainerNumber number = 0;  // 0: the slot is free
    ListState state = ListState::Sealed;
    uint64_t lastUse = 0;
    std::vector<Fingerprint> fingerprints;
  };
  using Location = FingerprintIndex::Location;

  FingerprintIndex::Candidates candidates(const Fingerprint& fingerprint) const;
  std::optional<Run> longestRun(std::span<const Fingerprint> stretch, uint32_t first, PhysicalBlock expected);
  uint32_t commonLength(Location at, std::span<const Fingerprint> rest) const;
  PhysicalBlock blockAt(Location at) const;
  size_t takeSlot(ContainerNumber number, ListState state);
  void evict(size_t slot);

  const size_t m_listsMax;
  uint64_t m_useCounter = 0;
  std::vector<List> m_slots;
  std::unordered_map<ContainerNumber, size_t> m_slotOf;
  FingerprintIndex m_index;
};

}  // namespace quarry::blockstore
