// SPDX-License-Identifier: GPL-3.0-or-later
// The namespace in RAM: inodes by fileid, each directory's entries by name (hash) and by cookie (order). Plain data without a lock;
// its owner guards it. Nothing here touches the database.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/metadata/inode_table.h"

namespace quarry::metadata {

inline constexpr size_t nameBytesMax = 255;
inline constexpr uint32_t linkCountMax = 32000;
inline constexpr uint64_t fileSizeMax = (uint64_t{1} << 63) - 1;  // what SQLite's integers hold

// InvalidArgument or NameTooLong for what cannot name an entry.
Result<void> checkName(std::string_view name);

struct EntryValue {
  std::string name;
  FileId fileid = 0;
};

// The entries of one directory. Names in the hash point into the map's nodes, which do not move.
class DirectoryIndex {
 public:
  void insert(uint64_t cookie, EntryValue value);
  void erase(uint64_t cookie);
  void setTarget(uint64_t cookie, FileId fileid) { m_byCookie.at(cookie).fileid = fileid; }
  std::optional<uint64_t> cookieOf(std::string_view name) const;
  const std::map<uint64_t, EntryValue>& byCookie() const { return m_byCookie; }

 private:
  std::map<uint64_t, EntryValue> m_byCookie;
  std::unordered_map<std::string_view, uint64_t> m_byName;
};

struct InodeRecord {
  Inode inode;
  std::string symlinkTarget;
  std::unique_ptr<DirectoryIndex> directory;  // of directories
  uint64_t nameCookie = 0;     // the entry in inode.parent that names it, for path()
  uint64_t touchCount = 0;     // grows when a write or read changes attributes in RAM alone
  bool isDirty = false;        // the database lacks something of it
  uint64_t durableSize = 0;
  // What writes changed since the last save began, and before that while the save is not durable: it survives a failed transaction.
  struct Touched {
    uint64_t size = 0;
    Timestamp modified;
    void merge(const Touched& other) { size = std::max(size, other.size), modified = std::max(modified, other.modified); }
  };
  Touched touched, saving;
};

class InodeIndex {
 public:
  InodeRecord* find(FileId fileid);
  const InodeRecord* find(FileId fileid) const;
  // Stale when it is gone, NotDirectory when it is something else.
  Result<const InodeRecord*> directory(FileId fileid) const;
  // The inode that the name leads to; null when there is no such entry.
  const InodeRecord* child(const InodeRecord& directory, std::string_view name) const;

  InodeRecord& addInode(Inode inode, std::string symlinkTarget);
  InodeRecord takeInode(FileId fileid);  // out of the index; REQUIRES: it is there
  void addEntry(FileId directory, uint64_t cookie, EntryValue value);
  void eraseEntry(FileId directory, uint64_t cookie);
  void setEntryTarget(FileId directory, uint64_t cookie, FileId fileid);

  // Another entry that names the inode, newest first: (directory, cookie). Walks everything; only for files with several links.
  std::optional<std::pair<FileId, uint64_t>> otherEntry(FileId fileid, uint64_t exceptCookie) const;
  bool isBelow(FileId directory, FileId ancestor) const;
  std::string path(FileId fileid) const;
  uint64_t fileCount(VstorageId id) const;

  std::unordered_map<FileId, InodeRecord>& all() { return m_inodes; }
  const std::unordered_map<FileId, InodeRecord>& all() const { return m_inodes; }

  std::map<VstorageId, VstorageRow> vstorages;
  uint64_t nextFileid = 2, nextCookie = 3;
  uint64_t keptBelow = 0;  // data with a smaller fileid and no inode is kept
  VstorageId nextVstorage = 1;
  Timestamp changedFloor;  // nothing at or below it may be given as a changed time again

 private:
  std::unordered_map<FileId, InodeRecord> m_inodes;
  std::unordered_map<VstorageId, uint64_t> m_inodeCounts;
};

}  // namespace quarry::metadata
