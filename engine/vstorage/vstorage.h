// SPDX-License-Identifier: GPL-3.0-or-later
// What an export looks like from above: one object per vstorage, with the operations that an NFS server needs, permission checks, size
// and space checks, and I/O statistics. Knows nothing of NFS's bytes.
//
// Threads: any coroutine on any io_context. Reads of attributes and names answer from RAM without waiting.
// Failure: an Error with the POSIX-like code; nothing of a failed namespace change stays. A failed write may have written part of its range.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/cache/block_pool.h"
#include "engine/base/result.h"
#include "engine/metadata/inode_table.h"
#include "engine/protocol/messages.h"

namespace quarry {

using metadata::Change;
using metadata::Created;
using metadata::CreateRequest;
using metadata::FileId;
using metadata::Inode;
using metadata::Removed;
using metadata::Renamed;
using metadata::RenameRequest;

// Who asks, after squashing.
struct Caller {
  uint32_t uid = 65534, gid = 65534;
  std::vector<uint32_t> groups;
};

// Bits of NFS's ACCESS.
enum AccessBit : uint32_t { AccessRead = 1, AccessLookup = 2, AccessModify = 4, AccessExtend = 8, AccessDelete = 16, AccessExecute = 32 };

enum class Stability : uint32_t { Unstable = 0, DataSync = 1, FileSync = 2 };

// The bytes stay where they are: in blocks of the cache, or in a buffer that was read into.
struct ReadReply {
  std::vector<cache::BlockRef> blocks;  // when all of them were in RAM, else empty
  AlignedBuffer buffer;
  uint32_t firstByte = 0;    // of what was asked for, in the first block or in the buffer
  uint32_t count = 0;
  bool eof = false;          // offset + count reached the size
  Inode inode;
};

// In order; as long as the reply lives.
std::vector<Bytes> piecesOf(const ReadReply& reply);
std::vector<std::byte> copyOf(const ReadReply& reply);

struct WriteRequest {
  FileId fileid = 0;
  uint64_t offset = 0;
  Bytes data;                // valid until write() returns
  Stability stability = Stability::FileSync;
};
struct WriteReply {
  Change change;
  uint32_t count = 0;
  Stability reached = Stability::FileSync;  // never weaker than asked, never stronger than done
};

struct DirectoryPage {
  struct Entry {
    std::string name;
    uint64_t cookie = 0;
    Inode inode;
  };
  std::vector<Entry> entries;  // "." and ".." come first, with cookies 1 and 2
  bool atEnd = false;
};

struct VstorageSpace {
  uint64_t totalBytes = 0, freeBytes = 0, availableBytes = 0;  // reserve and quota already subtracted
  uint64_t totalFiles = 0, freeFiles = 0;
};

class Vstorage {
 public:
  virtual ~Vstorage() = default;

  virtual metadata::VstorageId id() const = 0;
  virtual std::string name() const = 0;
  virtual FileId root() const = 0;
  virtual bool readOnly() const = 0;                             // by its own setting, or because the store is
  virtual bool allowsClient(std::string_view address) const = 0; // textual IPv4 or IPv6 address
  virtual Caller squash(Caller caller) const = 0;
  virtual uint64_t writeVerifier() const = 0;                    // new at each engine start, the same for every vstorage

  // RAM only. Stale when the file is gone, or belongs to another vstorage.
  virtual Result<Inode> getAttributes(FileId fileid) const = 0;
  virtual uint32_t access(const Caller& caller, const Inode& inode, uint32_t wanted) const = 0;
  virtual Result<Inode> lookup(const Caller& caller, FileId directory, std::string_view name) const = 0;
  virtual Result<std::string> readLink(const Caller& caller, FileId fileid) const = 0;
  virtual Result<DirectoryPage> readDirectory(const Caller& caller, FileId directory, uint64_t cookie, size_t entryCountMax) const = 0;
  virtual VstorageSpace space() const = 0;

  virtual Task<Result<ReadReply>> read(const Caller& caller, FileId fileid, uint64_t offset, uint32_t count) = 0;
  virtual Task<Result<WriteReply>> write(const Caller& caller, WriteRequest request) = 0;
  virtual Task<Result<Change>> commit(const Caller& caller, FileId fileid, uint64_t offset, uint32_t count) = 0;

  virtual Task<Result<Change>> setAttributes(const Caller& caller, FileId fileid, metadata::AttributeChange change) = 0;
  virtual Task<Result<Created>> create(const Caller& caller, CreateRequest request) = 0;  // every type
  virtual Task<Result<Removed>> remove(const Caller& caller, FileId directory, std::string name) = 0;
  virtual Task<Result<Removed>> removeDirectory(const Caller& caller, FileId directory, std::string name) = 0;
  virtual Task<Result<Renamed>> rename(const Caller& caller, RenameRequest request) = 0;
  virtual Task<Result<Change>> link(const Caller& caller, FileId fileid, FileId directory, std::string name) = 0;
};

inline constexpr uint64_t fileBytesMax = uint64_t{1} << 46;  // 64 TiB

}  // namespace quarry
