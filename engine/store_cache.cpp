// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store_cache.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/log.h"
#include "engine/cache/cache_budget.h"

namespace quarry {

namespace {
constexpr uint64_t journalBytesDefaultMin = 256ull << 20, journalBytesDefaultMax = 2ull << 30;
constexpr uint64_t journalShareOfDisk = 32;  // at most one part in so many of the free space

std::string settingsPath(const std::string& storePath) { return storePath + "/settings.json"; }
}  // namespace

// What a replay gathers on its way.
struct StoreCache::Replay {
  FileDataTable& files;
  metadata::InodeTable& inodes;
  uint64_t entryCount = 0, blockCount = 0;

  // Null: nothing of the entry counts any more.
  std::shared_ptr<StoredFile> fileOf(uint64_t sequence, const journal::Entry& entry) const {
    const auto inode = inodes.get(entry.fileid);
    if (!inode || sequence < inode->journalFloor) return nullptr;
    return files.get(entry.fileid);
  }
  std::string nameOf(metadata::FileId fileid) const {
    const auto inode = inodes.get(fileid);
    for (const auto& row : inodes.vstorages())
      if (inode && row.id == inode->vstorage) return row.name + "/" + inodes.path(fileid);
    return "a removed file";
  }
};

StoreCache::~StoreCache() = default;

Result<std::unique_ptr<StoreCache>> StoreCache::make(Surroundings surroundings) {
  std::unique_ptr<StoreCache> made(new StoreCache(std::move(surroundings)));
  if (auto read = made->readSettings(); !read) return fail(read.error());
  if (made->m_parts.options.cacheBytes != 0) made->m_cacheBytes = made->m_parts.options.cacheBytes;
  // A size chosen on a larger machine must not keep the store from opening on this one.
  if (made->m_cacheBytes != 0 && !cache::checkCacheSize(made->m_cacheBytes)) {
    if (made->m_parts.options.cacheBytes != 0) return fail(cache::checkCacheSize(made->m_cacheBytes).error());
    log("cache").warn("{}; taking the default", cache::checkCacheSize(made->m_cacheBytes).error().message);
    made->m_cacheBytes = 0;
  }
  if (made->m_cacheBytes == 0) made->m_cacheBytes = cache::defaultCacheBytes();
  made->m_caches = std::make_unique<cache::Caches>(made->m_cacheBytes, made->m_parts.clock);
  made->m_destager = std::make_unique<cache::Destager>(
      made->m_caches->write(), made->m_parts.clock, made->m_parts.executor,
      cache::Destager::Options{.onProblem = [&health = made->m_parts.health](const Error& error) { health.noteDamage(error); }});
  return made;
}

Result<void> StoreCache::readSettings() {
  const auto text = m_parts.fileSystem.readFile(settingsPath(m_parts.storePath));
  if (!text && text.error().code == ErrorCode::Lost) return {};
  if (!text) return fail(text.error());
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object())
    return fail(ErrorCode::Corrupt, settingsPath(m_parts.storePath) + " is damaged; bring it back from a backup, or remove it to go on with the defaults");
  m_cacheBytes = json.value("cacheBytes", uint64_t{0});
  if (json.contains("journalId") && json["journalId"].is_number_unsigned()) m_ringId = json["journalId"].get<uint64_t>();
  return {};
}

Result<void> StoreCache::writeSettings() const {
  nlohmann::json json{{"cacheBytes", m_cacheBytes.load()}};
  if (m_ringId) json["journalId"] = *m_ringId;
  return m_parts.fileSystem.replaceFile(settingsPath(m_parts.storePath), json.dump(2) + "\n");
}

uint64_t StoreCache::journalBytesWanted() const {
  if (m_parts.options.journalBytes != 0) return m_parts.options.journalBytes;
  uint64_t bytes = std::clamp(m_cacheBytes.load(), journalBytesDefaultMin, journalBytesDefaultMax);
  if (const auto space = m_parts.fileSystem.space(m_parts.storePath)) bytes = std::min(bytes, space->freeBytes / journalShareOfDisk);
  return std::max(bytes, journal::areaBytesMin);
}

journal::ReplayVisitor StoreCache::visitor(Replay& replay) {
  const auto onEntry = [&replay](uint64_t sequence, const journal::Entry& entry) {
    const auto file = replay.fileOf(sequence, entry);
    if (!file) return;
    ++replay.entryCount;
    file->replay(sequence, entry);
    // The size; times of a replayed write are those of the replay.
    if (const auto inode = replay.inodes.get(entry.fileid); inode && inode->size < entry.sizeAfter)
      (void)replay.inodes.touchWritten(entry.fileid, entry.sizeAfter);
  };
  const auto onDamagedEntry = [this, &replay](uint64_t sequence, const journal::Entry& entry) {
    if (!replay.fileOf(sequence, entry)) return;
    const uint64_t from = entry.firstBlock * blockBytes;
    m_parts.health.noteDamage({ErrorCode::Lost, fmt::format("{}: bytes {} to {} were written and acknowledged, and are damaged in the journal: they read "
                                                            "as they were before", replay.nameOf(entry.fileid), from,
                                                            from + entry.blockCount() * blockBytes)});
  };
  const auto onLostGroups = [this](uint64_t first, uint64_t last) {
    m_parts.health.noteDamage({ErrorCode::Lost, fmt::format("the journal is damaged: {} groups of acknowledged writes cannot be read (numbers {} to {}); "
                                                            "check the VMs that were running", last - first + 1, first, last)});
  };
  return {.onEntry = onEntry, .onDamagedEntry = onDamagedEntry, .onLostGroups = onLostGroups};
}

Task<Result<void>> StoreCache::openJournal(FileDataTable& files, metadata::InodeTable& inodes) {
  const std::string folder = m_parts.options.journalFolder.empty() ? m_parts.storePath + "/journal" : m_parts.options.journalFolder;
  if (auto made = m_parts.fileSystem.makeDirectories(folder); !made) co_return made;
  Replay replay{files, inodes};
  const auto begun = m_parts.clock.steady();
  journal::Journal::Options options{.folder = folder,
                                    .areaBytes = journalBytesWanted(),
                                    .firstSequence = inodes.journalFloorMax() + 1,
                                    .ringId = m_ringId,
                                    .makeNew = m_parts.options.makeNewJournal,
                                    .executor = m_parts.journalExecutor,
                                    .onFull = [this] { m_destager->kick(); },
                                    .onFailed = [this](const Error& error) { m_parts.health.turnReadOnly(error.message); }};
  auto told = visitor(replay);
  auto opened = co_await journal::Journal::open(m_parts.fileSystem, std::move(options), std::move(told));
  if (!opened) co_return fail(opened.error());
  m_journal = std::move(*opened);
  m_caches->write().attach(*m_journal);
  if (replay.entryCount > 0) {
    const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(m_parts.clock.steady() - begun);
    log("journal").info("{} entries replayed in {} ms, {} MiB are dirty", replay.entryCount, taken.count(), m_caches->write().dirtyBytes() >> 20);
  }
  if (m_ringId == m_journal->ringId()) co_return Result<void>();
  m_ringId = m_journal->ringId();
  co_return writeSettings();
}

Task<Result<void>> StoreCache::close() {
  if (!m_journal) co_return Result<void>();
  const cache::Destager::Choice all = [](cache::DirtyFile&) { return true; };
  const auto flushed = co_await m_destager->flush(all);
  co_await m_caches->write().voiding().idle();
  const auto closed = co_await m_journal->close();
  if (!flushed) co_return fail(flushed.error());
  co_return closed;
}

Result<void> StoreCache::setCacheBytes(uint64_t bytes) {
  if (auto checked = cache::checkCacheSize(bytes); !checked) return checked;
  const Lock lock(m_sizing);
  m_cacheBytes = bytes;
  m_caches->setBudget(bytes);
  return writeSettings();
}

}  // namespace quarry
