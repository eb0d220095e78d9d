// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/landing/landing_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/log.h"

namespace quarry {

namespace {
std::string subfolder(const std::string& folder, uint64_t fileid) { return fmt::format("{}/{:02x}", folder, fileid & 0xff); }
// Of a sync that was asked for: Busy and Cancelled mean that it was never begun.
bool isSyncFailure(const Error& error) { return error.code != ErrorCode::Busy && error.code != ErrorCode::Cancelled; }
bool isMissing(const Error& error) { return error.code == ErrorCode::NotFound || error.code == ErrorCode::Lost; }
bool isAligned(uint64_t offset, Bytes bytes) {
  return offset % blockBytes == 0 && bytes.size() % blockBytes == 0 && reinterpret_cast<uintptr_t>(bytes.data()) % blockBytes == 0;
}
}  // namespace

LandingFile::LandingFile(Folder& folder, uint64_t fileid) : m_folder(folder), m_fileid(fileid) {}

LandingFile::~LandingFile() {
  const Lock lock(m_mutex);
  if (m_file) m_folder.openCount.fetch_sub(1);
}

std::string LandingFile::pathOf(const std::string& folder, uint64_t fileid) {
  return fmt::format("{}/{:016x}", subfolder(folder, fileid), fileid);
}

Task<Result<void>> LandingFile::load() {
  if (isLoaded()) co_return Result<void>();
  co_return co_await onPool(m_folder.workers, [this] { return loadBlocking(); });
}

// Closes what it opened: figures load the maps of all files, more than may be open at once. Until the map is there nobody else uses the file.
Result<void> LandingFile::loadBlocking() {
  if (isLoaded()) return {};
  const auto opened = openBlocking(Missing::Leave);
  if (!opened) return fail(opened.error());
  const Lock openLock(m_openMutex);
  if (isLoaded()) return {};
  if (*opened) {
    const auto loaded = loadMapBlocking(**opened);
    const Lock lock(m_mutex);
    if (m_file) m_folder.openCount.fetch_sub(1);
    m_file.reset();
    if (!loaded) return loaded;
  }
  m_loaded.store(true, std::memory_order_release);
  return {};
}

Result<void> LandingFile::loadMapBlocking(os::File& file) {
  const auto size = file.size();
  if (!size) return fail(size.error());
  const auto ranges = file.dataRanges(0, *size);
  if (!ranges) return fail(ranges.error());
  const Lock lock(m_mutex);
  m_landed.replace({0, alignUp(*size, blockBytes)}, *ranges);
  // What an engine before this one wrote without syncing must be covered by our first sync.
  m_writesDone = 1;
  return {};
}

Result<std::shared_ptr<os::File>> LandingFile::openBlocking(Missing missing) {
  const Lock openLock(m_openMutex);
  {
    const Lock lock(m_mutex);
    if (m_file) return m_file;
    if (m_missing && missing == Missing::Leave) return nullptr;
  }
  if (m_removed) return fail(ErrorCode::Stale, fmt::format("file {} was removed", m_fileid));
  auto opened = m_folder.fileSystem.open(path(), os::OpenMode::ReadWrite, os::CacheMode::Direct);
  if (!opened && !isMissing(opened.error())) return fail(opened.error());
  if (!opened) {
    const Lock lock(m_mutex);
    if (m_landed.blockCount() > 0) return fail(ErrorCode::Lost, "landing file " + path() + " is missing");
    m_missing = true;
    if (missing == Missing::Leave) return nullptr;
  }
  if (!opened) {
    if (auto made = m_folder.fileSystem.makeDirectories(subfolder(m_folder.path, m_fileid)); !made) return fail(made.error());
    opened = m_folder.fileSystem.open(path(), os::OpenMode::Create, os::CacheMode::Direct);
    if (!opened) return fail(opened.error());
  }
  const Lock lock(m_mutex);
  m_file = std::move(*opened);
  m_missing = false;
  m_folder.openCount.fetch_add(1);
  return m_file;
}

Task<Result<std::shared_ptr<os::File>>> LandingFile::file(Missing missing) {
  use();
  {
    const Lock lock(m_mutex);
    if (m_file) co_return m_file;
    if (m_missing && missing == Missing::Leave) co_return nullptr;
  }
  co_return co_await onPool(m_folder.workers, [this, missing] { return openBlocking(missing); });
}

Result<void> LandingFile::syncNameBlocking() {
  auto synced = m_folder.fileSystem.syncDirectory(subfolder(m_folder.path, m_fileid));
  noteSync(synced);
  if (!synced) return synced;
  m_nameDurable = true;
  return {};
}

Task<Result<void>> LandingFile::syncName() {
  if (m_nameDurable) co_return Result<void>();
  co_return co_await onPool(m_folder.workers, [this] { return syncNameBlocking(); });
}

Task<Result<uint64_t>> LandingFile::write(uint64_t offset, Bytes data, os::Durability durability) {
  QUARRY_CHECK(isLoaded() && isAligned(offset, data));
  if (m_removed) co_return fail(ErrorCode::Stale, fmt::format("file {} was removed", m_fileid));
  const auto file = co_await this->file(Missing::Make);
  if (!file) co_return fail(file.error());
  const os::ByteRange range{offset, data.size()};
  auto written = co_await (*file)->writeAt(offset, data, durability);
  // Of a durable write nobody can tell whether the write or the sync in it failed.
  if (!written && durability == os::Durability::Durable && written.error().code == ErrorCode::IoError) noteSync(written);
  if (written && durability == os::Durability::Durable) written = co_await syncName();
  if (!written) {
    m_writesDone.fetch_add(1);
    co_await rereadMap(range);
    co_return fail(written.error());
  }
  if (durability == os::Durability::None) m_writesDone.fetch_add(1);
  const Lock lock(m_mutex);
  co_return m_landed.set(range);
}

Task<Result<void>> LandingFile::read(uint64_t offset, MutableBytes into) {
  QUARRY_CHECK(isLoaded() && isAligned(offset, into));
  if (m_removed) co_return fail(ErrorCode::Stale, fmt::format("file {} was removed", m_fileid));
  const auto file = co_await this->file(Missing::Leave);
  if (!file) co_return fail(file.error());
  uint64_t count = 0;
  if (*file) {
    const auto got = co_await (*file)->readAt(offset, into);
    if (!got) co_return fail(got.error());
    count = *got;
  }
  if (count == into.size()) co_return Result<void>();
  const uint64_t from = alignDown(count, blockBytes);
  if (landedCountIn({offset + from, into.size() - from}) > 0)
    co_return fail(ErrorCode::Corrupt, "landing file " + path() + " is shorter than what was written to it");
  std::memset(into.data() + count, 0, into.size() - count);
  co_return Result<void>();
}

Task<Result<uint64_t>> LandingFile::punch(os::ByteRange range) {
  QUARRY_CHECK(isLoaded() && range.offset % blockBytes == 0);
  const auto file = co_await this->file(Missing::Leave);
  if (!file) co_return fail(file.error());
  if (!*file) co_return 0;
  const auto size = (*file)->size();
  if (!size) co_return fail(size.error());
  const uint64_t sizeAligned = alignUp(*size, blockBytes);
  if (range.offset >= sizeAligned) co_return 0;
  range.length = std::min(range.length, sizeAligned - range.offset);
  uint64_t freedBlocks = 0;
  {
    const Lock lock(m_mutex);
    const uint64_t first = range.offset / segmentBytes, last = (range.offset + range.length - 1) / segmentBytes;
    for (uint64_t segment = first; segment <= last && segment < first + m_punchCounts.size(); ++segment)
      ++m_punchCounts[segment % m_punchCounts.size()];
    freedBlocks = m_landed.clear(range);
  }
  const auto punched = co_await (*file)->punchHole(range);
  m_writesDone.fetch_add(1);
  if (!punched) {
    co_await rereadMap(range);
    co_return fail(punched.error());
  }
  co_return freedBlocks * blockBytes;
}

// After a failure the disk alone knows. When not even it answers, the bits stay as they are: set ones were in the file before, and a
// cleared one makes readers use the recipe, which a punch always has behind it.
Task<void> LandingFile::rereadMap(os::ByteRange range) {
  const auto file = co_await this->file(Missing::Leave);
  if (!file || !*file) co_return;
  const auto readRanges = [open = *file, range] { return open->dataRanges(range.offset, range.offset + range.length); };
  const auto ranges = co_await onPool(m_folder.workers, readRanges);
  if (!ranges) {
    log("landing").warn("{}: {}", path(), ranges.error().message);
    co_return;
  }
  const Lock lock(m_mutex);
  m_landed.replace(range, *ranges);
}

Task<Result<void>> LandingFile::sync() {
  const auto file = co_await this->file(Missing::Leave);
  if (!file) co_return fail(file.error());
  if (!*file) co_return Result<void>();
  const auto named = co_await syncName();
  if (!named) co_return named;
  const uint64_t target = m_writesDone.load();
  if (m_writesSynced.load() >= target) co_return Result<void>();
  const auto synced = co_await (*file)->sync();
  noteSync(synced);
  if (!synced) co_return synced;
  uint64_t before = m_writesSynced.load();
  while (before < target && !m_writesSynced.compare_exchange_weak(before, target)) {
  }
  co_return Result<void>();
}

void LandingFile::noteSync(const Result<void>& synced) {
  if (synced || !isSyncFailure(synced.error())) return;
  const Lock lock(m_mutex);
  if (!m_syncFailure) m_syncFailure = synced.error();
}

std::optional<Error> LandingFile::syncFailure() const {
  const Lock lock(m_mutex);
  return m_syncFailure;
}

bool LandingFile::isClean() const { return m_writesSynced.load() >= m_writesDone.load(); }

LandedBlocks LandingFile::landed(uint32_t segment) const {
  const Lock lock(m_mutex);
  return m_landed.blocks(segment);
}

std::vector<uint32_t> LandingFile::landedSegments() const {
  const Lock lock(m_mutex);
  return m_landed.segments();
}

uint64_t LandingFile::landedCountIn(os::ByteRange range) const {
  const Lock lock(m_mutex);
  return m_landed.countIn(range);
}

uint64_t LandingFile::landedBytes() const {
  const Lock lock(m_mutex);
  return m_landed.blockCount() * blockBytes;
}

uint64_t LandingFile::landedEnd() const {
  const Lock lock(m_mutex);
  return m_landed.end();
}

uint64_t LandingFile::punchCount(uint32_t segment) const {
  const Lock lock(m_mutex);
  return m_punchCounts[segment % m_punchCounts.size()];
}

bool LandingFile::closeIfClean() {
  std::shared_ptr<os::File> closing;  // closed after the lock is gone
  const Lock lock(m_mutex);
  if (!m_file || !isClean()) return false;
  closing = std::move(m_file);
  m_file.reset();
  m_folder.openCount.fetch_sub(1);
  return true;
}

bool LandingFile::isOpen() const {
  const Lock lock(m_mutex);
  return m_file != nullptr;
}

Result<void> LandingFile::removeBlocking() {
  markRemoved();
  const Lock openLock(m_openMutex);
  std::shared_ptr<os::File> closing;
  {
    const Lock lock(m_mutex);
    if (m_file) m_folder.openCount.fetch_sub(1);
    closing = std::move(m_file);
    m_file.reset();
    m_landed = {};
    for (uint64_t& count : m_punchCounts) ++count;  // readers that are underway must not take the cleared bits for holes
    m_missing = true;
  }
  closing.reset();
  const auto removed = m_folder.fileSystem.remove(path());
  if (!removed && !isMissing(removed.error())) return removed;
  return {};
}

}  // namespace quarry
