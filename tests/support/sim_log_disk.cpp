// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sim_log_disk.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "engine/base/check.h"

namespace quarry::test {

namespace {

constexpr std::chrono::seconds gateSecondsMax{20};

struct Registry {
  std::mutex mutex;
  std::map<std::string, SimLogDisk*> disks;
  uint64_t next = 1;
};
Registry& registry() {
  static Registry registry;
  return registry;
}

std::string newRoot() {
  const std::lock_guard lock(registry().mutex);
  return fmt::format("/sim{}", registry().next++);
}

class LogFile : public os::File {
 public:
  LogFile(SimLogDisk& disk, uint64_t node) : m_disk(disk), m_node(node) {}

  Task<Result<uint64_t>> readAt(uint64_t offset, MutableBytes into) override { co_return m_disk.readNode(m_node, offset, into); }
  Task<Result<void>> writeAt(uint64_t offset, Bytes data, os::Durability durability) override {
    m_disk.writeNode(m_node, offset, data);
    if (durability == os::Durability::Durable) m_disk.hardenNode(m_node, offset, data.size());
    co_return Result<void>();
  }
  Task<Result<void>> sync() override {
    m_disk.syncNode(m_node);
    co_return Result<void>();
  }
  Task<Result<void>> punchHole(os::ByteRange range) override {
    m_disk.punchNode(m_node, range);
    co_return Result<void>();
  }
  Task<Result<void>> resize(uint64_t size) override {
    m_disk.resizeNode(m_node, size);
    co_return Result<void>();
  }
  Result<std::vector<os::ByteRange>> dataRanges(uint64_t from, uint64_t to) override { return m_disk.dataRanges(m_node, from, to); }
  Result<uint64_t> size() override { return m_disk.sizeOf(m_node); }
  Result<uint64_t> allocatedBytes() override { return m_disk.allocatedBytes(m_node); }

 private:
  SimLogDisk& m_disk;
  const uint64_t m_node;
};

}  // namespace

SimLogDisk::SimLogDisk(SimMedium contents) : m_root(newRoot()), m_contents(std::move(contents)) {
  const std::lock_guard lock(registry().mutex);
  registry().disks[m_root] = this;
}

SimLogDisk::~SimLogDisk() {
  const std::lock_guard lock(registry().mutex);
  registry().disks.erase(m_root);
}

SimLogDisk* SimLogDisk::of(const std::string& path) {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().disks.find(path.substr(0, path.find('/', 1)));
  return found == registry().disks.end() ? nullptr : found->second;
}

std::string SimLogDisk::relative(const std::string& path) const {
  QUARRY_CHECK(path.starts_with(m_root + "/") || path == m_root);
  return path.substr(m_root.size());
}

// --- the order of changes

void SimLogDisk::closeGate() {
  m_gateCloser = std::this_thread::get_id();
  while (m_changesUnderWay > 0) std::this_thread::yield();
}

void SimLogDisk::openGate() { m_gateCloser = std::thread::id(); }

class SimLogDisk::Change {
 public:
  explicit Change(SimLogDisk& disk) : m_disk(disk), m_passesGate(disk.m_gateCloser.load() != std::this_thread::get_id()) {
    if (m_passesGate) passGate();
    m_lock = std::unique_lock(m_disk.m_mutex);
  }
  ~Change() {
    if (m_passesGate) --m_disk.m_changesUnderWay;
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  void passGate() {
    const auto begun = std::chrono::steady_clock::now();
    for (;;) {
      ++m_disk.m_changesUnderWay;
      if (m_disk.m_gateCloser.load() == std::thread::id()) return;
      --m_disk.m_changesUnderWay;
      QUARRY_CHECK(std::chrono::steady_clock::now() - begun < gateSecondsMax);
      std::this_thread::yield();
    }
  }

  SimLogDisk& m_disk;
  const bool m_passesGate;
  std::unique_lock<std::mutex> m_lock;
};

void SimLogDisk::recordLocked(DiskEvent event) {
  m_contents.apply(event);
  m_log.push_back(std::move(event));
}

void SimLogDisk::record(DiskEvent event) {
  const Change change(*this);
  recordLocked(std::move(event));
}

void SimLogDisk::mark(uint64_t number) { record({.kind = DiskEvent::Kind::Mark, .offset = number}); }

std::vector<DiskEvent> SimLogDisk::log() const {
  const std::lock_guard lock(m_mutex);
  return m_log;
}

SimMedium SimLogDisk::contents() const {
  const std::lock_guard lock(m_mutex);
  return m_contents;
}

// --- files by number

bool SimLogDisk::exists(const std::string& path) const {
  const std::lock_guard lock(m_mutex);
  return m_contents.find(relative(path)).has_value();
}

std::optional<uint64_t> SimLogDisk::openNode(const std::string& path, bool mayCreate, bool* isNew) {
  if (isNew) *isNew = false;
  {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_contents.find(relative(path))) return found;
  }
  if (!mayCreate) return std::nullopt;
  const Change change(*this);
  if (const auto found = m_contents.find(relative(path))) return found;
  const uint64_t node = m_contents.nextNode();
  recordLocked({.kind = DiskEvent::Kind::Create, .node = node, .path = relative(path)});
  if (isNew) *isNew = true;
  return node;
}

uint64_t SimLogDisk::readNode(uint64_t node, uint64_t offset, MutableBytes into) const {
  const std::lock_guard lock(m_mutex);
  return m_contents.read(node, offset, into);
}

void SimLogDisk::writeNode(uint64_t node, uint64_t offset, Bytes data) {
  auto copy = std::make_shared<const std::vector<std::byte>>(data.begin(), data.end());
  record({.kind = DiskEvent::Kind::Write, .node = node, .offset = offset, .data = std::move(copy)});
}

void SimLogDisk::hardenNode(uint64_t node, uint64_t offset, uint64_t length) {
  record({.kind = DiskEvent::Kind::Harden, .node = node, .offset = offset, .length = length});
}

void SimLogDisk::syncNode(uint64_t node) { record({.kind = DiskEvent::Kind::Sync, .node = node}); }

void SimLogDisk::punchNode(uint64_t node, os::ByteRange range) {
  record({.kind = DiskEvent::Kind::Punch, .node = node, .offset = range.offset, .length = range.length});
}

void SimLogDisk::resizeNode(uint64_t node, uint64_t size) { record({.kind = DiskEvent::Kind::Resize, .node = node, .length = size}); }

uint64_t SimLogDisk::sizeOf(uint64_t node) const {
  const std::lock_guard lock(m_mutex);
  return m_contents.size(node);
}

std::vector<os::ByteRange> SimLogDisk::dataRanges(uint64_t node, uint64_t from, uint64_t to) const {
  const std::lock_guard lock(m_mutex);
  return m_contents.dataRanges(node, from, to);
}

uint64_t SimLogDisk::allocatedBytes(uint64_t node) const {
  const std::lock_guard lock(m_mutex);
  return m_contents.dataPages(node) * blockBytes;
}

// --- os::FileSystem

Result<std::unique_ptr<os::File>> SimLogDisk::open(const std::string& path, os::OpenMode mode, os::CacheMode) {
  bool isNew = false;
  const bool mayCreate = mode == os::OpenMode::Create || mode == os::OpenMode::CreateNew;
  const auto node = openNode(path, mayCreate, &isNew);
  if (!node) return fail(ErrorCode::Lost, path + " is not there");
  if (mode == os::OpenMode::CreateNew && !isNew) return fail(ErrorCode::Exists, path + " is there already");
  return std::make_unique<LogFile>(*this, *node);
}

Result<void> SimLogDisk::remove(const std::string& path) {
  const Change change(*this);
  if (!m_contents.find(relative(path))) return fail(ErrorCode::NotFound, path + " is not there");
  recordLocked({.kind = DiskEvent::Kind::Remove, .path = relative(path)});
  return {};
}

Result<void> SimLogDisk::rename(const std::string& from, const std::string& to) {
  const Change change(*this);
  if (!m_contents.find(relative(from))) return fail(ErrorCode::NotFound, from + " is not there");
  recordLocked({.kind = DiskEvent::Kind::Rename, .path = relative(from), .target = relative(to)});
  return {};
}

Result<void> SimLogDisk::makeDirectories(const std::string&) { return {}; }

Result<void> SimLogDisk::syncDirectory(const std::string& path) {
  record({.kind = DiskEvent::Kind::SyncFolder, .path = relative(path)});
  return {};
}

Result<std::vector<os::FileInfo>> SimLogDisk::list(const std::string& path) {
  const std::lock_guard lock(m_mutex);
  std::vector<os::FileInfo> files;
  for (const auto& [name, node] : m_contents.list(relative(path)))
    files.push_back({.name = name, .size = m_contents.size(node), .allocatedBytes = m_contents.dataPages(node) * blockBytes});
  return files;
}

Result<os::DiskSpace> SimLogDisk::space(const std::string&) { return os::DiskSpace{.totalBytes = 1ull << 40, .freeBytes = 1ull << 39}; }

Result<std::string> SimLogDisk::readFile(const std::string& path) {
  const std::lock_guard lock(m_mutex);
  const auto node = m_contents.find(relative(path));
  if (!node) return fail(ErrorCode::Lost, path + " is not there");
  std::string text(m_contents.size(*node), '\0');
  m_contents.read(*node, 0, std::as_writable_bytes(std::span(text.data(), text.size())));
  return text;
}

Result<void> SimLogDisk::replaceFile(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  const auto node = openNode(beside, true);
  resizeNode(*node, 0);
  writeNode(*node, 0, asBytes(text));
  syncNode(*node);
  if (auto renamed = rename(beside, path); !renamed) return renamed;
  return syncDirectory(path.substr(0, path.find_last_of('/')));
}

}  // namespace quarry::test
