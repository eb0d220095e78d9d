// SPDX-License-Identifier: GPL-3.0-or-later
// What a disk under a file system holds, and what a power cut leaves of it. Changes come as DiskEvents, in the order in which programs made
// them; afterCut() chooses by chance which of the changes that no sync covered are there, in which order they went out and where they tore.
//
// The rules, page (4 KiB) by page and file by file:
//  - A synced file keeps everything; a durable write keeps its range, the size and every shortening before it.
//  - An unsynced write into a hole is there as a whole page or not at all: file systems mark a page written only after its bytes are on the
//    medium. An unsynced write over data goes sector (512 bytes) by sector, and several such writes in any mixture.
//  - Holes punched and written again keep their order on one page, and nothing else keeps any order. A shortening is there wholly or not.
//  - Names are there if their folder was synced; of the others each is there by chance, in order for one name.
//
// Threads: none of its own; whoever shares it locks. Copies are cheap: pages are shared and never change, and what share() has put together is
// one object for all copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/os/file.h"

namespace quarry::test {

inline constexpr uint64_t sectorBytes = 512;

struct DiskEvent {
  enum class Kind {
    Write,       // node, offset, data: in the file, on no medium yet
    Harden,      // node, offset, length: a durable write of that range ended
    Sync,        // node
    Punch,       // node, offset, length
    Resize,      // node, length
    Create,      // path, node
    Remove,      // path
    Rename,      // path, target
    SyncFolder,  // path
    Mark,        // offset: a number of the driver's; changes nothing
  };
  Kind kind = Kind::Mark;
  uint64_t node = 0, offset = 0, length = 0;
  std::shared_ptr<const std::vector<std::byte>> data{};
  std::string path{}, target{};
};

std::string describe(const DiskEvent& event);

// What happens to the changes that nothing made durable.
enum class CutStyle { LoseAll, KeepAll, Pages, Sectors };  // Pages: each by chance; Sectors: and torn

class SimMedium {
 public:
  void apply(const DiskEvent& event);
  SimMedium afterCut(std::mt19937_64& random, CutStyle style) const;
  // For a medium that many are to be made of. REQUIRES: nothing is pending.
  void share();

  // --- as programs see it
  std::optional<uint64_t> find(const std::string& path) const;
  std::vector<std::pair<std::string, uint64_t>> list(const std::string& folder) const;  // plain names and nodes
  uint64_t size(uint64_t node) const;
  uint64_t read(uint64_t node, uint64_t offset, MutableBytes into) const;  // the count; fewer only at the end
  std::vector<os::ByteRange> dataRanges(uint64_t node, uint64_t from, uint64_t to) const;
  uint64_t dataPages(uint64_t node) const;
  uint64_t nextNode() const { return m_nextNode; }

 private:
  using Page = std::array<std::byte, blockBytes>;
  struct PageVersion {
    std::shared_ptr<const Page> page;  // null: a hole
    uint32_t shortenings = 0;          // of the file, before this
    bool isBarrier = false;            // left by a shortening: what came before is there only without it
  };
  struct SizeVersion {
    uint64_t size = 0;
    uint32_t shortenings = 0;
    bool isBarrier = false;
  };
  using PageRef = std::shared_ptr<const Page>;
  using Pages = std::map<uint64_t, PageRef>;
  // The first version of each is durable, the last is what programs see.
  struct Node {
    std::shared_ptr<const Pages> shared;                // what is in `pages` takes its place
    std::map<uint64_t, std::vector<PageVersion>> pages;
    std::vector<SizeVersion> sizes{SizeVersion{}};
    uint32_t shortenings = 0, durableShortenings = 0;

    PageRef page(uint64_t number) const;                // as programs see it
    std::vector<PageVersion>& versions(uint64_t number);
    std::vector<uint64_t> dataPages(uint64_t from, uint64_t to) const;
  };

  static PageRef zeroPage();
  static PageRef changed(const PageRef& before, uint64_t offset, Bytes data);
  void write(Node& node, uint64_t offset, Bytes data);
  void punch(Node& node, uint64_t offset, uint64_t length);
  void resize(Node& node, uint64_t size);
  static void harden(Node& node, uint64_t firstPage, uint64_t lastPage);
  void changeName(const DiskEvent& event, std::map<std::string, uint64_t>& names) const;
  void syncFolder(const std::string& folder);
  static Node cutNode(const Node& node, std::mt19937_64& random, CutStyle style);
  static PageRef cutPage(const std::vector<PageVersion>& versions, std::mt19937_64& random, CutStyle style);
  std::map<std::string, uint64_t> cutNames(std::mt19937_64& random, CutStyle style) const;

  std::map<uint64_t, Node> m_nodes;
  std::map<std::string, uint64_t> m_names, m_durableNames;
  std::vector<DiskEvent> m_pendingNames;  // Create, Remove and Rename that no folder's sync covered
  uint64_t m_nextNode = 1;
};

}  // namespace quarry::test
