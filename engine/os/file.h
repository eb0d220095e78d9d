// SPDX-License-Identifier: GPL-3.0-or-later
// The one door to the operating system's files. Everything the store keeps, except SQLite's own files, goes through here, so
// a test can put a disk behind it that fails, fills up or forgets.
//
// Threads: a File may be used from any number of coroutines on any io_context at once; the caller orders what overlaps.
// Reads, writes, syncs and punches wait in the io_uring of the calling coroutine's io_context (os/uring.h) and block no thread.
// Failure: NoSpace when the disk is full, IoError for what the disk answered, Lost when the file is missing, Busy when the process is out
// of descriptors or memory and nothing was done; the message names the path. A failed write leaves the range undefined; after a failed
// sync nothing written since the last good one is sure.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/result.h"

namespace quarry::os {

// Whether a write is on stable storage when it returns (one FUA or flush for this write alone) or only in the file.
enum class Durability { None, Durable };

// Direct: O_DIRECT; offsets, lengths and memory must be multiples of 4 KiB.
enum class CacheMode { Direct, Buffered };

enum class OpenMode { ReadOnly, ReadWrite, Create, CreateNew };  // Create: open or make; CreateNew: Exists when it is there

struct ByteRange {
  uint64_t offset = 0;
  uint64_t length = 0;
  bool operator==(const ByteRange&) const = default;
};

class File {
 public:
  virtual ~File() = default;

  // Reads up to into.size() bytes; fewer only at the end of the file. Returns the count.
  virtual Task<Result<uint64_t>> readAt(uint64_t offset, MutableBytes into) = 0;
  virtual Task<Result<void>> writeAt(uint64_t offset, Bytes data, Durability durability) = 0;
  virtual Task<Result<void>> sync() = 0;  // fdatasync
  // Frees the blocks of the range, which reads as zero afterwards. The size stays.
  virtual Task<Result<void>> punchHole(ByteRange range) = 0;
  virtual Task<Result<void>> resize(uint64_t size) = 0;
  // The parts of [from, to) that hold data (SEEK_DATA/SEEK_HOLE), in order. Quick, but may block for metadata I/O.
  virtual Result<std::vector<ByteRange>> dataRanges(uint64_t from, uint64_t to) = 0;
  virtual Result<uint64_t> size() = 0;
  virtual Result<uint64_t> allocatedBytes() = 0;
};

struct FileInfo {
  std::string name;  // without its folder
  uint64_t size = 0;
  uint64_t allocatedBytes = 0;
  int64_t modifiedUnixNs = 0;
};

struct DiskSpace {
  uint64_t totalBytes = 0;
  uint64_t freeBytes = 0;  // for an ordinary user
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode, CacheMode cache) = 0;
  virtual Result<void> remove(const std::string& path) = 0;  // of a file; NotFound when missing
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> makeDirectories(const std::string& path) = 0;  // durable
  virtual Result<void> syncDirectory(const std::string& path) = 0;
  virtual Result<std::vector<FileInfo>> list(const std::string& path) = 0;  // plain files
  virtual Result<DiskSpace> space(const std::string& path) = 0;
  // Small whole files, such as quarry.json. replaceFile writes beside it, syncs, renames, syncs the directory.
  virtual Result<std::string> readFile(const std::string& path) = 0;
  virtual Result<void> replaceFile(const std::string& path, const std::string& text) = 0;
};

// The real one. Holds no state; lives as long as what it opened.
std::unique_ptr<FileSystem> makePosixFileSystem();

}  // namespace quarry::os
