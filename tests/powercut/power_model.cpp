// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/powercut/power_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace quarry::test {

namespace {

constexpr uint64_t sectorSize = 512;

// The bytes before `kept` of the sector, zeros behind them.
std::shared_ptr<const std::array<std::byte, 512>> cutAt(const std::shared_ptr<const std::array<std::byte, 512>>& sector, uint64_t kept) {
  if (!sector || kept == 0) return nullptr;
  auto cut = std::make_shared<std::array<std::byte, 512>>(*sector);
  std::memset(cut->data() + kept, 0, sectorSize - kept);
  return cut;
}

template <class Value>
void keepLast(std::vector<Value>& values) {
  values.erase(values.begin(), values.end() - 1);
}

}  // namespace

void PowerModel::apply(const PowerOp& op, Outcome outcome) {
  const auto file = m_files.find(op.fileid);
  const bool isThere = file != m_files.end();
  const bool isAnswered = outcome == Outcome::Answered, isRam = m_mode == protocol::WriteMode::Ram;
  switch (op.kind) {
    case OpKind::Create:
      m_names[op.name] = isAnswered ? op.fileid : 0;
      m_files[m_names[op.name]] = {};
      if (isAnswered) m_given.insert(op.fileid);
      return;
    case OpKind::Write:
      if (isThere) write(file->second, op, isAnswered && !isRam && op.stability != Stability::Unstable);
      return;
    case OpKind::Commit:
      if (isThere && isAnswered && !isRam) commit(file->second);
      return;
    case OpKind::SetSize:
      if (isThere) setSize(file->second, op.size);
      return;
    case OpKind::Rename:
      drop(op.target);
      m_names[op.target] = m_names.at(op.name);
      m_names.erase(op.name);
      return;
    case OpKind::Remove: return drop(op.name);
    case OpKind::Read:
    case OpKind::Optimize: return;
    case OpKind::Destage:
      if (isAnswered && isRam) commitAll();
      return;
    case OpKind::SetMode:
      if (isAnswered && isRam && op.mode != m_mode) commitAll();
      if (isAnswered) m_mode = op.mode;
      return;
  }
}

void PowerModel::commitAll() {
  for (auto& [fileid, file] : m_files) commit(file);
}

void PowerModel::drop(const std::string& name) {
  const auto found = m_names.find(name);
  if (found == m_names.end()) return;
  m_files.erase(found->second);
  m_names.erase(found);
}

void PowerModel::write(File& file, const PowerOp& op, bool isPromised) {
  const std::vector<std::byte> data = contentOf(op);
  const uint64_t end = op.offset + op.length;
  for (uint64_t at = op.offset; at < end;) {
    const uint64_t number = at / sectorSize, inSector = at % sectorSize, length = std::min(sectorSize - inSector, end - at);
    auto& versions = file.sectors[number];
    if (versions.empty()) versions.emplace_back();
    auto next = std::make_shared<std::array<std::byte, 512>>();
    if (versions.back()) *next = *versions.back();
    std::memcpy(next->data() + inSector, data.data() + (at - op.offset), length);
    versions.push_back(std::move(next));
    if (isPromised) keepLast(versions);
    at += length;
  }
  auto& sizes = file.sizes;
  // Growing, so in order; each of them may become durable alone.
  if (end > sizes.front() && std::ranges::find(sizes, end) == sizes.end()) sizes.insert(std::ranges::upper_bound(sizes, end), end);
  if (!isPromised) return;
  const uint64_t durable = std::max(sizes.front(), end);
  std::erase_if(sizes, [&](uint64_t known) { return known <= durable; });
  sizes.insert(sizes.begin(), durable);
}

void PowerModel::setSize(File& file, uint64_t size) {
  const bool isShorter = size < file.sizes.back();
  file.sizes = {size};
  if (!isShorter) return;
  for (auto at = file.sectors.lower_bound(size / sectorSize); at != file.sectors.end();) {
    const uint64_t kept = at->first == size / sectorSize ? size % sectorSize : 0;
    for (Sector& version : at->second) version = cutAt(version, kept);
    at = kept == 0 ? file.sectors.erase(at) : std::next(at);
  }
}

void PowerModel::commit(File& file) {
  keepLast(file.sizes);
  for (auto& [number, versions] : file.sectors) keepLast(versions);
}

void PowerModel::adopt(const Observed& observed) {
  m_names.clear();
  m_files.clear();
  for (const auto& [name, seen] : observed) {
    m_names[name] = seen.fileid;
    m_given.insert(seen.fileid);
    File& file = m_files[seen.fileid];
    file.sizes = {seen.size};
    for (const auto& [offset, bytes] : seen.areas) {
      for (uint64_t at = 0; at < bytes.size(); at += sectorSize) {
        auto sector = std::make_shared<std::array<std::byte, 512>>();
        std::memcpy(sector->data(), bytes.data() + at, std::min<uint64_t>(sectorSize, bytes.size() - at));
        if (!isZero(*sector)) file.sectors[(offset + at) / sectorSize] = {std::move(sector)};
      }
    }
  }
}

std::optional<std::string> PowerModel::mismatch(const Observed& observed) const {
  for (const auto& [name, fileid] : m_names)
    if (!observed.contains(name)) return fmt::format("{} (file {}) is missing", name, fileid);
  for (const auto& [name, seen] : observed) {
    const auto known = m_names.find(name);
    if (known == m_names.end()) return fmt::format("{} (file {}) must not be there", name, seen.fileid);
    if (known->second == 0 && m_given.contains(seen.fileid)) return fmt::format("{} was made anew with the old fileid {}", name, seen.fileid);
    if (known->second != 0 && known->second != seen.fileid) return fmt::format("{} is file {}, must be {}", name, seen.fileid, known->second);
    if (auto wrong = mismatch(m_files.at(known->second), seen)) return fmt::format("{} (file {}): {}", name, seen.fileid, *wrong);
  }
  return std::nullopt;
}

std::optional<std::string> PowerModel::mismatchNow(const ObservedFile& observed) const {
  File now = m_files.at(observed.fileid);
  commit(now);
  return mismatch(now, observed);
}

std::optional<std::string> PowerModel::mismatch(const File& file, const ObservedFile& observed) {
  if (std::ranges::find(file.sizes, observed.size) == file.sizes.end()) {
    std::string allowed;
    for (const uint64_t size : file.sizes) allowed += fmt::format(" {}", size);
    return fmt::format("the size is {}, may be{}", observed.size, allowed);
  }
  for (const auto& [offset, bytes] : observed.areas) {
    for (uint64_t at = 0; at < bytes.size(); at += sectorSize) {
      const Bytes sector = Bytes(bytes).subspan(at, std::min<uint64_t>(sectorSize, bytes.size() - at));
      if (matches(file, (offset + at) / sectorSize, sector)) continue;
      return fmt::format("the {} bytes at {} (of {}) are none that they may be, but {}", sector.size(), offset + at, observed.size,
                         isZero(sector) ? "zeros" : "others");
    }
  }
  return std::nullopt;
}

bool PowerModel::matches(const File& file, uint64_t sector, Bytes bytes) {
  const auto known = file.sectors.find(sector);
  if (known == file.sectors.end()) return isZero(bytes);
  return std::ranges::any_of(known->second, [&](const Sector& version) {
    return version ? std::memcmp(version->data(), bytes.data(), bytes.size()) == 0 : isZero(bytes);
  });
}

}  // namespace quarry::test
