// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sim_sqlite.h"

#include <sqlite3.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/check.h"
#include "tests/support/sim_log_disk.h"

namespace quarry::test {

namespace {

class Connection;

// What all connections to one database file share: its locks and the WAL's index.
struct DatabaseShare {
  std::mutex mutex;
  int sharedCount = 0;
  const Connection* reserved = nullptr;   // holds RESERVED, PENDING or EXCLUSIVE
  bool isPending = false, isExclusive = false;
  std::vector<std::unique_ptr<std::byte[]>> index;
  std::array<int, SQLITE_SHM_NLOCK> indexLocks{};  // readers; -1: one writer
};

std::shared_ptr<DatabaseShare> shareOf(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<DatabaseShare>> shares;
  const std::lock_guard lock(mutex);
  std::erase_if(shares, [](const auto& entry) { return entry.second.expired(); });
  auto share = shares[path].lock();
  if (!share) shares[path] = share = std::make_shared<DatabaseShare>();
  return share;
}

// One open file: a database, its WAL or its rollback journal.
class Connection {
 public:
  Connection(SimLogDisk& disk, uint64_t node, std::string path, bool syncsFolder, bool isDatabase)
      : m_disk(disk), m_node(node), m_path(std::move(path)), m_syncsFolder(syncsFolder), m_share(isDatabase ? shareOf(m_path) : nullptr) {}
  ~Connection() {
    if (m_share) unlock(SQLITE_LOCK_NONE);
    unlockIndex();
  }

  int read(void* into, int count, sqlite3_int64 offset) const {
    const auto wanted = static_cast<size_t>(count);
    const uint64_t got = m_disk.readNode(m_node, static_cast<uint64_t>(offset), {static_cast<std::byte*>(into), wanted});
    if (got == wanted) return SQLITE_OK;
    std::memset(static_cast<std::byte*>(into) + got, 0, wanted - got);
    return SQLITE_IOERR_SHORT_READ;
  }
  int write(const void* data, int count, sqlite3_int64 offset) {
    m_disk.writeNode(m_node, static_cast<uint64_t>(offset), {static_cast<const std::byte*>(data), static_cast<size_t>(count)});
    return SQLITE_OK;
  }
  int truncate(sqlite3_int64 size) {
    m_disk.resizeNode(m_node, static_cast<uint64_t>(size));
    return SQLITE_OK;
  }
  int sync() {
    m_disk.syncNode(m_node);
    if (std::exchange(m_syncsFolder, false)) (void)m_disk.syncDirectory(m_path.substr(0, m_path.find_last_of('/')));
    return SQLITE_OK;
  }
  sqlite3_int64 size() const { return static_cast<sqlite3_int64>(m_disk.sizeOf(m_node)); }

  int lock(int level);
  int unlock(int level);
  bool isReserved() const {
    const std::lock_guard guard(m_share->mutex);
    return m_share->reserved != nullptr;
  }

  int mapIndex(int region, int regionBytes, bool mayExtend, void volatile** into);
  int lockIndex(int first, int count, int flags);
  void unlockIndex();

 private:
  SimLogDisk& m_disk;
  const uint64_t m_node;
  const std::string m_path;
  bool m_syncsFolder;
  const std::shared_ptr<DatabaseShare> m_share;
  int m_level = SQLITE_LOCK_NONE;
  std::array<int, SQLITE_SHM_NLOCK> m_indexLocks{};  // 1: shared, -1: exclusive
};

int Connection::lock(int level) {
  const std::lock_guard guard(m_share->mutex);
  DatabaseShare& share = *m_share;
  if (m_level >= level) return SQLITE_OK;
  if (share.reserved && share.reserved != this && (level >= SQLITE_LOCK_RESERVED || share.isPending)) return SQLITE_BUSY;
  if (m_level == SQLITE_LOCK_NONE) {
    ++share.sharedCount;
    m_level = SQLITE_LOCK_SHARED;
  }
  if (level >= SQLITE_LOCK_RESERVED) {
    share.reserved = this;
    m_level = std::max(m_level, SQLITE_LOCK_RESERVED);
  }
  if (level < SQLITE_LOCK_EXCLUSIVE) return SQLITE_OK;
  share.isPending = true;
  m_level = SQLITE_LOCK_PENDING;
  if (share.sharedCount > 1) return SQLITE_BUSY;
  share.isExclusive = true;
  m_level = SQLITE_LOCK_EXCLUSIVE;
  return SQLITE_OK;
}

int Connection::unlock(int level) {
  const std::lock_guard guard(m_share->mutex);
  DatabaseShare& share = *m_share;
  if (share.reserved == this && level < SQLITE_LOCK_RESERVED) {
    share.reserved = nullptr;
    share.isPending = share.isExclusive = false;
  }
  if (level == SQLITE_LOCK_NONE && m_level > SQLITE_LOCK_NONE) --share.sharedCount;
  m_level = std::min(m_level, level);
  return SQLITE_OK;
}

int Connection::mapIndex(int region, int regionBytes, bool mayExtend, void volatile** into) {
  const std::lock_guard guard(m_share->mutex);
  auto& index = m_share->index;
  const auto number = static_cast<size_t>(region);
  *into = nullptr;
  if (number >= index.size() && !mayExtend) return SQLITE_OK;
  while (index.size() <= number) index.push_back(std::make_unique<std::byte[]>(static_cast<size_t>(regionBytes)));
  *into = index[number].get();
  return SQLITE_OK;
}

int Connection::lockIndex(int first, int count, int flags) {
  const std::lock_guard guard(m_share->mutex);
  const bool isExclusive = flags & SQLITE_SHM_EXCLUSIVE;
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(first + count); ++i) {
    const int others = m_share->indexLocks[i] - m_indexLocks[i];
    if (flags & SQLITE_SHM_LOCK && (others < 0 || (isExclusive && others > 0))) return SQLITE_BUSY;
  }
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(first + count); ++i) {
    const int held = flags & SQLITE_SHM_UNLOCK ? 0 : isExclusive ? -1 : 1;
    m_share->indexLocks[i] += held - m_indexLocks[i];
    m_indexLocks[i] = held;
  }
  return SQLITE_OK;
}

void Connection::unlockIndex() {
  if (m_share) lockIndex(0, SQLITE_SHM_NLOCK, SQLITE_SHM_UNLOCK);
}

// --- the table of functions that SQLite calls

struct File {
  sqlite3_file base;
  Connection* connection;
};
Connection& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file)->connection; }

int closeFile(sqlite3_file* file) {
  delete std::exchange(reinterpret_cast<File*>(file)->connection, nullptr);
  return SQLITE_OK;
}
int fileSize(sqlite3_file* file, sqlite3_int64* size) {
  *size = of(file).size();
  return SQLITE_OK;
}
int checkReserved(sqlite3_file* file, int* isReserved) {
  *isReserved = of(file).isReserved();
  return SQLITE_OK;
}
int unmapIndex(sqlite3_file* file, int) {
  of(file).unlockIndex();
  return SQLITE_OK;
}

const sqlite3_io_methods methods{
    .iVersion = 2,
    .xClose = closeFile,
    .xRead = [](sqlite3_file* file, void* into, int count, sqlite3_int64 offset) { return of(file).read(into, count, offset); },
    .xWrite = [](sqlite3_file* file, const void* data, int count, sqlite3_int64 offset) { return of(file).write(data, count, offset); },
    .xTruncate = [](sqlite3_file* file, sqlite3_int64 size) { return of(file).truncate(size); },
    .xSync = [](sqlite3_file* file, int) { return of(file).sync(); },
    .xFileSize = fileSize,
    .xLock = [](sqlite3_file* file, int level) { return of(file).lock(level); },
    .xUnlock = [](sqlite3_file* file, int level) { return of(file).unlock(level); },
    .xCheckReservedLock = checkReserved,
    .xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; },
    .xSectorSize = [](sqlite3_file*) { return static_cast<int>(blockBytes); },
    .xDeviceCharacteristics = [](sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; },
    .xShmMap = [](sqlite3_file* file, int region, int bytes, int mayExtend, void volatile** into) {
      return of(file).mapIndex(region, bytes, mayExtend != 0, into);
    },
    .xShmLock = [](sqlite3_file* file, int first, int count, int flags) { return of(file).lockIndex(first, count, flags); },
    .xShmBarrier = [](sqlite3_file*) { std::atomic_thread_fence(std::memory_order_seq_cst); },
    .xShmUnmap = unmapIndex,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

thread_local int lastErrno = 0;

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flagsOut) {
  file->pMethods = nullptr;
  SimLogDisk* disk = name ? SimLogDisk::of(name) : nullptr;
  const auto node = disk ? disk->openNode(name, flags & SQLITE_OPEN_CREATE) : std::nullopt;
  if (!node) {
    lastErrno = ENOENT;
    return SQLITE_CANTOPEN;
  }
  const bool isLog = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
  const bool syncsFolder = isLog && (flags & SQLITE_OPEN_CREATE);
  reinterpret_cast<File*>(file)->connection = new Connection(*disk, *node, name, syncsFolder, flags & SQLITE_OPEN_MAIN_DB);
  file->pMethods = &methods;
  if (flagsOut) *flagsOut = flags;
  return SQLITE_OK;
}

int removeFile(sqlite3_vfs*, const char* name, int syncFolder) {
  SimLogDisk* disk = SimLogDisk::of(name);
  const std::string path = name;
  if (!disk || !disk->remove(path)) return SQLITE_IOERR_DELETE_NOENT;
  if (syncFolder) (void)disk->syncDirectory(path.substr(0, path.find_last_of('/')));
  return SQLITE_OK;
}

int accessFile(sqlite3_vfs*, const char* name, int, int* isThere) {
  SimLogDisk* disk = SimLogDisk::of(name);
  const auto node = disk ? disk->openNode(name, false) : std::nullopt;
  *isThere = node && disk->sizeOf(*node) > 0;
  return SQLITE_OK;
}

int fullPath(sqlite3_vfs*, const char* name, int bytesMax, char* into) {
  const size_t length = std::strlen(name);
  if (length >= static_cast<size_t>(bytesMax)) return SQLITE_CANTOPEN;
  std::memcpy(into, name, length + 1);
  return SQLITE_OK;
}

int randomBytes(sqlite3_vfs*, int count, char* into) {
  for (int i = 0; i < count; ++i) into[i] = static_cast<char>(i * 7 + 1);
  return count;
}

int sleepFor(sqlite3_vfs*, int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  return microseconds;
}

constexpr sqlite3_int64 someJulianMs = 212'000'000'000'000;

int currentTime(sqlite3_vfs*, double* julianDays) {
  *julianDays = static_cast<double>(someJulianMs) / 86'400'000;
  return SQLITE_OK;
}
int currentTimeMs(sqlite3_vfs*, sqlite3_int64* julianMs) {
  *julianMs = someJulianMs;
  return SQLITE_OK;
}

sqlite3_vfs makeVfs() {
  sqlite3_vfs vfs{};
  vfs.iVersion = 2;
  vfs.szOsFile = sizeof(File);
  vfs.mxPathname = 512;
  vfs.zName = "sim";
  vfs.xOpen = openFile;
  vfs.xDelete = removeFile;
  vfs.xAccess = accessFile;
  vfs.xFullPathname = fullPath;
  vfs.xRandomness = randomBytes;
  vfs.xSleep = sleepFor;
  vfs.xCurrentTime = currentTime;
  vfs.xCurrentTimeInt64 = currentTimeMs;
  vfs.xGetLastError = [](sqlite3_vfs*, int, char*) { return lastErrno; };
  return vfs;
}

}  // namespace

void useSimulatedSqlite() {
  static sqlite3_vfs vfs = makeVfs();
  static const int registered = sqlite3_vfs_register(&vfs, 1);
  QUARRY_CHECK(registered == SQLITE_OK);
}

}  // namespace quarry::test
