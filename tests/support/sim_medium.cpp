// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sim_medium.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "engine/base/check.h"

namespace quarry::test {

namespace {

constexpr uint64_t lastPageOfAll = std::numeric_limits<uint64_t>::max();

std::string parentOf(const std::string& path) { return path.substr(0, path.find_last_of('/')); }

// The versions that may be found on the medium when `shortenings` of the file's are there: [first, end).
template <class Version>
std::pair<size_t, size_t> candidates(const std::vector<Version>& versions, uint32_t shortenings) {
  size_t first = 0, end = 1;
  for (; end < versions.size() && versions[end].shortenings <= shortenings; ++end)
    if (versions[end].isBarrier) first = end;
  return {first, end};
}

size_t pick(size_t first, size_t end, std::mt19937_64& random, CutStyle style) {
  if (style == CutStyle::LoseAll) return first;
  if (style == CutStyle::KeepAll) return end - 1;
  return first + random() % (end - first);
}

}  // namespace

std::string describe(const DiskEvent& event) {
  using enum DiskEvent::Kind;
  switch (event.kind) {
    case Write: return fmt::format("write file {} at {} + {}", event.node, event.offset, event.data->size());
    case Harden: return fmt::format("durable file {} at {} + {}", event.node, event.offset, event.length);
    case Sync: return fmt::format("sync file {}", event.node);
    case Punch: return fmt::format("punch file {} at {} + {}", event.node, event.offset, event.length);
    case Resize: return fmt::format("resize file {} to {}", event.node, event.length);
    case Create: return fmt::format("create {} as file {}", event.path, event.node);
    case Remove: return fmt::format("remove {}", event.path);
    case Rename: return fmt::format("rename {} to {}", event.path, event.target);
    case SyncFolder: return fmt::format("sync folder {}", event.path);
    case Mark: return fmt::format("mark {}", event.offset);
  }
  return {};
}

void SimMedium::apply(const DiskEvent& event) {
  using enum DiskEvent::Kind;
  const auto file = [&]() -> Node& { return m_nodes.at(event.node); };
  switch (event.kind) {
    case Write: return write(file(), event.offset, *event.data);
    case Harden: return harden(file(), event.offset / blockBytes, (event.offset + event.length - 1) / blockBytes);
    case Sync: return harden(file(), 0, lastPageOfAll);
    case Punch: return punch(file(), event.offset, event.length);
    case Resize: return resize(file(), event.length);
    case Create:
      m_nodes[event.node];
      m_nextNode = std::max(m_nextNode, event.node + 1);
      [[fallthrough]];
    case Remove:
    case Rename:
      changeName(event, m_names);
      m_pendingNames.push_back(event);
      return;
    case SyncFolder: return syncFolder(event.path);
    case Mark: return;
  }
}

// One for all: a preallocated journal is thousands of them.
SimMedium::PageRef SimMedium::zeroPage() {
  static const PageRef zeros = std::make_shared<Page>();
  return zeros;
}

SimMedium::PageRef SimMedium::changed(const PageRef& before, uint64_t offset, Bytes data) {
  auto page = before ? std::make_shared<Page>(*before) : std::make_shared<Page>();
  std::memcpy(page->data() + offset, data.data(), data.size());
  return page;
}

SimMedium::PageRef SimMedium::Node::page(uint64_t number) const {
  if (const auto found = pages.find(number); found != pages.end()) return found->second.back().page;
  if (!shared) return nullptr;
  const auto found = shared->find(number);
  return found == shared->end() ? nullptr : found->second;
}

std::vector<SimMedium::PageVersion>& SimMedium::Node::versions(uint64_t number) {
  const auto [at, isNew] = pages.try_emplace(number);
  if (!isNew) return at->second;
  const auto found = shared ? shared->find(number) : Pages::const_iterator();
  at->second.push_back({shared && found != shared->end() ? found->second : nullptr, 0, false});
  return at->second;
}

// The pages of [from, to) that hold data, in order.
std::vector<uint64_t> SimMedium::Node::dataPages(uint64_t from, uint64_t to) const {
  std::vector<uint64_t> numbers;
  for (auto at = pages.lower_bound(from); at != pages.end() && at->first < to; ++at)
    if (at->second.back().page) numbers.push_back(at->first);
  if (!shared) return numbers;
  const size_t ownCount = numbers.size();
  for (auto at = shared->lower_bound(from); at != shared->end() && at->first < to; ++at)
    if (!pages.contains(at->first)) numbers.push_back(at->first);
  std::inplace_merge(numbers.begin(), numbers.begin() + static_cast<ptrdiff_t>(ownCount), numbers.end());
  return numbers;
}

void SimMedium::share() {
  for (auto& [number, node] : m_nodes) {
    auto pages = std::make_shared<Pages>();
    for (const uint64_t page : node.dataPages(0, lastPageOfAll)) pages->emplace_hint(pages->end(), page, node.page(page));
    node.shared = std::move(pages);
    node.pages.clear();
  }
}

void SimMedium::write(Node& node, uint64_t offset, Bytes data) {
  for (uint64_t done = 0; done < data.size();) {
    const uint64_t at = offset + done, inPage = at % blockBytes, length = std::min(blockBytes - inPage, data.size() - done);
    auto& versions = node.versions(at / blockBytes);
    const Bytes part = data.subspan(done, length);
    versions.push_back({length == blockBytes && isZero(part) ? zeroPage() : changed(versions.back().page, inPage, part), node.shortenings, false});
    done += length;
  }
  if (offset + data.size() > node.sizes.back().size) node.sizes.push_back({offset + data.size(), node.shortenings, false});
}

void SimMedium::punch(Node& node, uint64_t offset, uint64_t length) {
  QUARRY_CHECK(offset % blockBytes == 0 && length % blockBytes == 0);
  for (const uint64_t page : node.dataPages(offset / blockBytes, (offset + length) / blockBytes))
    node.versions(page).push_back({nullptr, node.shortenings, false});
}

void SimMedium::resize(Node& node, uint64_t size) {
  const uint64_t before = node.sizes.back().size;
  if (size == before) return;
  if (size > before) {
    node.sizes.push_back({size, node.shortenings, false});
    return;
  }
  ++node.shortenings;
  node.sizes.push_back({size, node.shortenings, true});
  for (auto at = node.pages.lower_bound(size / blockBytes); at != node.pages.end(); ++at)
    if (!at->second.back().page) at->second.push_back({nullptr, node.shortenings, true});
  for (const uint64_t number : node.dataPages(size / blockBytes, lastPageOfAll)) {
    const uint64_t kept = number == size / blockBytes ? size % blockBytes : 0;
    auto& versions = node.versions(number);
    std::shared_ptr<Page> page;
    if (kept > 0) {
      page = std::make_shared<Page>(*versions.back().page);
      std::memset(page->data() + kept, 0, blockBytes - kept);
    }
    versions.push_back({std::move(page), node.shortenings, true});
  }
}

void SimMedium::harden(Node& node, uint64_t firstPage, uint64_t lastPage) {
  node.sizes.erase(node.sizes.begin(), node.sizes.end() - 1);
  node.durableShortenings = node.shortenings;
  for (auto at = node.pages.lower_bound(firstPage); at != node.pages.end() && at->first <= lastPage; ++at)
    at->second.erase(at->second.begin(), at->second.end() - 1);
}

void SimMedium::changeName(const DiskEvent& event, std::map<std::string, uint64_t>& names) const {
  if (event.kind == DiskEvent::Kind::Create) names[event.path] = event.node;
  if (event.kind == DiskEvent::Kind::Remove) names.erase(event.path);
  if (event.kind != DiskEvent::Kind::Rename) return;
  const auto moved = names.find(event.path);
  if (moved == names.end()) return;
  names[event.target] = moved->second;
  names.erase(event.path);
}

void SimMedium::syncFolder(const std::string& folder) {
  std::erase_if(m_pendingNames, [&](const DiskEvent& change) {
    const bool isCovered = parentOf(change.path) == folder || (!change.target.empty() && parentOf(change.target) == folder);
    if (isCovered) changeName(change, m_durableNames);
    return isCovered;
  });
}

SimMedium SimMedium::afterCut(std::mt19937_64& random, CutStyle style) const {
  SimMedium left;
  left.m_names = left.m_durableNames = cutNames(random, style);
  left.m_nextNode = m_nextNode;
  for (const auto& [name, node] : left.m_names) left.m_nodes[node] = cutNode(m_nodes.at(node), random, style);
  return left;
}

// A change of a name is there only if the changes of that name before it are.
std::map<std::string, uint64_t> SimMedium::cutNames(std::mt19937_64& random, CutStyle style) const {
  std::map<std::string, uint64_t> names = m_durableNames;
  std::set<std::string> lost;
  for (const DiskEvent& change : m_pendingNames) {
    const bool isKept = style == CutStyle::KeepAll || (style != CutStyle::LoseAll && random() % 2);
    if (isKept && !lost.contains(change.path) && !lost.contains(change.target)) {
      changeName(change, names);
      continue;
    }
    lost.insert(change.path);
    if (!change.target.empty()) lost.insert(change.target);
  }
  return names;
}

SimMedium::Node SimMedium::cutNode(const Node& node, std::mt19937_64& random, CutStyle style) {
  const auto shortenings = static_cast<uint32_t>(pick(node.durableShortenings, node.shortenings + 1, random, style));
  Node left;
  const auto [firstSize, endSize] = candidates(node.sizes, shortenings);
  const uint64_t size = node.sizes[pick(firstSize, endSize, random, style)].size;
  left.sizes = {{size, 0, false}};
  left.shared = node.shared;
  if (left.shared && !left.shared->empty() && left.shared->rbegin()->first * blockBytes >= size) {
    auto shorter = std::make_shared<Pages>(*left.shared);
    shorter->erase(shorter->lower_bound(alignUp(size, blockBytes) / blockBytes), shorter->end());
    left.shared = std::move(shorter);
  }
  for (const auto& [number, versions] : node.pages) {
    if (number * blockBytes >= size) break;
    const auto [first, end] = candidates(versions, shortenings);
    auto page = cutPage({versions.begin() + static_cast<ptrdiff_t>(first), versions.begin() + static_cast<ptrdiff_t>(end)}, random, style);
    if (page && size - number * blockBytes < blockBytes) {
      auto last = std::make_shared<Page>(*page);
      std::memset(last->data() + size % blockBytes, 0, blockBytes - size % blockBytes);
      page = std::move(last);
    }
    left.pages[number] = {{std::move(page), 0, false}};
  }
  return left;
}

SimMedium::PageRef SimMedium::cutPage(const std::vector<PageVersion>& versions, std::mt19937_64& random, CutStyle style) {
  const size_t chosen = pick(0, versions.size(), random, style);
  if (style != CutStyle::Sectors || !versions[chosen].page || random() % 2) return versions[chosen].page;
  size_t first = chosen;  // of the writes over each other since the page was a hole
  while (first > 0 && versions[first - 1].page) --first;
  if (first == chosen) return versions[chosen].page;
  auto torn = std::make_shared<Page>();
  for (uint64_t sector = 0; sector < blockBytes; sector += sectorBytes)
    std::memcpy(torn->data() + sector, versions[first + random() % (chosen - first + 1)].page->data() + sector, sectorBytes);
  return torn;
}

std::optional<uint64_t> SimMedium::find(const std::string& path) const {
  const auto found = m_names.find(path);
  return found == m_names.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::pair<std::string, uint64_t>> SimMedium::list(const std::string& folder) const {
  std::vector<std::pair<std::string, uint64_t>> entries;
  for (auto at = m_names.lower_bound(folder + "/"); at != m_names.end() && at->first.starts_with(folder + "/"); ++at) {
    const std::string name = at->first.substr(folder.size() + 1);
    if (name.find('/') == std::string::npos) entries.emplace_back(name, at->second);
  }
  return entries;
}

uint64_t SimMedium::size(uint64_t node) const { return m_nodes.at(node).sizes.back().size; }

uint64_t SimMedium::read(uint64_t node, uint64_t offset, MutableBytes into) const {
  const Node& file = m_nodes.at(node);
  const uint64_t size = file.sizes.back().size;
  const uint64_t count = offset >= size ? 0 : std::min<uint64_t>(into.size(), size - offset);
  if (count == 0) return 0;
  const uint64_t end = offset + count;
  std::memset(into.data(), 0, count);
  const auto copy = [&](uint64_t number, const Page& page) {
    const uint64_t from = std::max(offset, number * blockBytes), to = std::min(end, (number + 1) * blockBytes);
    std::memcpy(into.data() + (from - offset), page.data() + from % blockBytes, to - from);
  };
  const auto isIn = [end](const auto& pages, const auto& at) { return at != pages.end() && at->first * blockBytes < end; };
  auto own = file.pages.lower_bound(offset / blockBytes);
  if (file.shared) {
    for (auto at = file.shared->lower_bound(offset / blockBytes); isIn(*file.shared, at); ++at) {
      while (isIn(file.pages, own) && own->first < at->first) ++own;
      const bool isReplaced = isIn(file.pages, own) && own->first == at->first;
      if (!isReplaced && at->second != zeroPage()) copy(at->first, *at->second);
    }
  }
  for (auto at = file.pages.lower_bound(offset / blockBytes); isIn(file.pages, at); ++at)
    if (at->second.back().page) copy(at->first, *at->second.back().page);
  return count;
}

std::vector<os::ByteRange> SimMedium::dataRanges(uint64_t node, uint64_t from, uint64_t to) const {
  std::vector<os::ByteRange> ranges;
  for (const uint64_t page : m_nodes.at(node).dataPages(from / blockBytes, alignUp(to, blockBytes) / blockBytes))
    ranges.push_back({page * blockBytes, blockBytes});
  return ranges;
}

uint64_t SimMedium::dataPages(uint64_t node) const { return m_nodes.at(node).dataPages(0, lastPageOfAll).size(); }

}  // namespace quarry::test
