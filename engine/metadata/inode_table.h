// SPDX-License-Identifier: GPL-3.0-or-later
// The namespace: inodes, directory entries, symbolic links and attributes of all vstorages. The whole of it is in RAM (about
// 300 bytes an inode with its entry), so lookups, attributes and listings never wait for a disk; namespace.db is its durable copy.
//
// Threads: safe from any. Reads return copies. Changes are run one after another by the TransactionQueue of namespace.db: what
// arrived while the last transaction was syncing goes into the next one, and each change is durable before its call returns.
// A change may be seen by readers a moment before it is durable; it is acknowledged only after.
// Failure: nothing of a failed change stays. A failed transaction (disk full, I/O error) reloads RAM from the database.
// fileids are 64-bit, start at 2 and are never reused; directory cookies are the entries' own row numbers, never reused, start at 3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/result.h"

namespace quarry::metadata {

class TransactionQueue;

using FileId = uint64_t;
using VstorageId = uint32_t;

// Values are NFS's ftype3.
enum class FileType : uint32_t { Regular = 1, Directory = 2, BlockDevice = 3, CharacterDevice = 4, Symlink = 5, Socket = 6, Fifo = 7 };

struct Inode {
  FileId fileid = 0;
  VstorageId vstorage = 0;
  uint32_t generation = 0;     // random, in the handle
  FileType type = FileType::Regular;
  uint32_t mode = 0;           // permission bits, 07777
  uint32_t uid = 0, gid = 0;
  uint32_t linkCount = 1;
  uint64_t size = 0;           // bytes; of a directory: 4096
  Timestamp accessed, modified, changed;  // changed grows with every change
  uint32_t deviceMajor = 0, deviceMinor = 0;
  FileId parent = 0;           // directory of the newest entry that names it; of a root: itself
  uint64_t truncateCounter = 0;            // RAM only: grows with every shortening and with removal
  std::optional<uint64_t> usedBytes;       // RAM only: of a file, the blocks that are no hole when they were counted last (noteUsed())
  std::optional<uint64_t> pendingTruncate; // a shortening that landing and recipes may not have followed yet
  std::optional<std::array<std::byte, 8>> createVerifier;  // of EXCLUSIVE create
  uint64_t journalFloor = 0;   // the journal's entries for this file before that sequence are void: it was shortened since
};

struct DirectoryEntry {
  std::string name;
  FileId fileid = 0;
  uint64_t cookie = 0;
};

// Attributes before and after a change, for wcc data.
struct Change {
  Inode before, after;
};

// What to set; unset members stay. serverTime: now.
struct AttributeChange {
  std::optional<uint32_t> mode, uid, gid;
  std::optional<uint64_t> size;
  std::optional<Timestamp> accessed, modified;
  std::optional<uint64_t> journalFloor;   // of a shortening
  std::optional<Timestamp> guardChanged;  // NotSync unless it equals the inode's changed time
};

enum class CreateMode { Unchecked, Guarded, Exclusive };

struct CreateRequest {
  FileId directory = 0;
  std::string name;
  FileType type = FileType::Regular;
  CreateMode createMode = CreateMode::Guarded;  // of regular files; the other types behave as Guarded
  std::optional<std::array<std::byte, 8>> verifier;
  AttributeChange attributes;   // of the new inode; size only for regular files
  std::string symlinkTarget;
  uint32_t deviceMajor = 0, deviceMinor = 0;
};
struct Created {
  Inode inode;
  bool isNew = true;   // false: UNCHECKED found it, or EXCLUSIVE found its own verifier; then attributes were not applied
  Change directory;
};

struct Removed {
  Change directory;
  Inode inode;         // after removal; linkCount 0 when it is gone
};

struct RenameRequest {
  FileId fromDirectory = 0;
  std::string fromName;
  FileId toDirectory = 0;
  std::string toName;
};
struct Renamed {
  Change fromDirectory, toDirectory;
  std::optional<Inode> replaced;  // linkCount 0 when it is gone
  Inode moved;
};

// A vstorage's durable settings, opaque to this layer (JSON text).
struct VstorageRow {
  VstorageId id = 0;
  std::string name;
  FileId root = 0;
  std::string settings;
};

class InodeTable {
 public:
  // Loads everything. `queue` must be the one of namespace.db with its schema in place and must outlive this.
  static Result<std::unique_ptr<InodeTable>> load(TransactionQueue& queue, const Clock& clock);
  virtual ~InodeTable() = default;

  // --- vstorages
  virtual std::vector<VstorageRow> vstorages() const = 0;
  virtual Task<Result<VstorageRow>> createVstorage(std::string name, std::string settings) = 0;  // with its root directory, mode 0777
  virtual Task<Result<void>> setVstorage(VstorageId id, std::string settings) = 0;
  // Removes the vstorage and all its inodes; returns the regular files, whose data the caller drops.
  virtual Task<Result<std::vector<FileId>>> removeVstorage(VstorageId id) = 0;

  // --- reads, from RAM
  virtual std::optional<Inode> get(FileId fileid) const = 0;
  virtual Result<Inode> lookup(FileId directory, std::string_view name) const = 0;  // "." and ".." too; NotDirectory, NotFound, Stale
  // Entries after `cookie` (0: from the start; the caller adds "." and ".." as cookies 1 and 2) in cookie order, at most `countMax`.
  virtual Result<std::vector<DirectoryEntry>> list(FileId directory, uint64_t cookie, size_t countMax) const = 0;
  virtual Result<std::string> symlinkTarget(FileId fileid) const = 0;
  virtual std::vector<FileId> regularFiles(VstorageId id) const = 0;
  virtual std::string path(FileId fileid) const = 0;  // inside the vstorage, without leading '/', for people; "" for a root
  virtual uint64_t fileCount(VstorageId id) const = 0;  // every inode but the root
  virtual void noteUsed(const std::vector<std::pair<FileId, uint64_t>>& counted) = 0;  // Inode::usedBytes; RAM only, changes no time
  virtual uint64_t journalFloorMax() const = 0;  // of all inodes
  virtual std::vector<FileId> pendingTruncates() const = 0;  // shortenings that a crash may have left half done

  // --- for whoever deletes data that has no inode
  // A fileid at or above this was never given out by this namespace.
  virtual FileId nextFileId() const = 0;
  // Data below this may belong to inodes that this namespace never knew (keepBelow()): it is kept. 0: none.
  virtual FileId keptBelow() const = 0;
  // From now on fileids begin at `next`, and what lies below without an inode is kept. Durable on return.
  virtual Task<Result<void>> keepBelow(FileId next) = 0;
  // On return every change that reads had shown before is durable, or was undone and shows no more. Fails when that is not sure.
  virtual Task<Result<void>> settle() = 0;

  // --- changes, durable on return
  virtual Task<Result<Created>> create(CreateRequest request) = 0;
  virtual Task<Result<Removed>> remove(FileId directory, std::string name) = 0;           // not a directory
  virtual Task<Result<Removed>> removeDirectory(FileId directory, std::string name) = 0;  // NotEmpty
  virtual Task<Result<Renamed>> rename(RenameRequest request) = 0;  // replaces; refuses to move a directory below itself (InvalidArgument)
  virtual Task<Result<Change>> link(FileId fileid, FileId directory, std::string name) = 0;  // change of the directory
  // Mode, owner, times, and growth of size. Shortening is two calls: beginTruncate, then (landing and recipes shortened) endTruncate.
  virtual Task<Result<Change>> setAttributes(FileId fileid, AttributeChange change) = 0;
  virtual Task<Result<Change>> beginTruncate(FileId fileid, AttributeChange change) = 0;  // sets pendingTruncate, bumps truncateCounter
  virtual Task<Result<void>> endTruncate(FileId fileid) = 0;

  // --- what writes and reads change. In RAM at once; durable by persist(), by the next change of this inode, or within 5 seconds.
  virtual Result<Change> touchWritten(FileId fileid, uint64_t sizeMin) = 0;  // size = max(size, sizeMin); modified, changed; clears setuid/setgid
  virtual std::optional<Inode> touchRead(FileId fileid) = 0;  // after it; nothing: the file is gone
  // Makes the inode's size (and times) durable if anything of it is not; returns at once when the durable size already covers it
  // (times alone wait for the 5 seconds).
  virtual Task<Result<void>> persistSize(FileId fileid) = 0;
  virtual Task<Result<void>> persistAll() = 0;
};

}  // namespace quarry::metadata
