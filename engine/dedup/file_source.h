// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a dedup job works on, as the layers below and above offer them: the engine adapts its namespace, its vstorages and
// their FileData objects to this; tests put a fake behind it.
//
// Threads: truncateCounter() and checkWritable() from any thread at any time (a database transaction asks the first), the rest from the job's
// coroutine.
// Ownership: must outlive the job. FileData objects are shared with the vstorage layer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/result.h"
#include "engine/metadata/inode_table.h"
#include "engine/protocol/messages.h"
#include "engine/vstorage/file_data.h"

namespace quarry::dedup {

// What a job was started for. Empty members: all.
struct Selection {
  std::string vstorage;
  std::string vm;
  std::string path;  // of a file, or of a folder with everything below it; inside the vstorage, without leading '/'
};

struct SourceFile {
  metadata::FileId fileid = 0;
  std::string vstorage;
  std::string vm;    // empty: belongs to none
  std::string path;  // inside the vstorage, without leading '/'
  uint64_t sizeBytes = 0;
  protocol::Policy policy;  // of its vstorage
};

class FileSource {
 public:
  virtual ~FileSource() = default;

  // Regular files, in the order they are to be worked on. NotFound when the selection names a vstorage, VM or path that does not exist.
  virtual Result<std::vector<SourceFile>> list(const Selection& selection) const = 0;

  // The file's data; Stale when it was removed since it was listed.
  virtual Task<Result<std::shared_ptr<FileData>>> open(metadata::FileId fileid) = 0;

  // Grows with every shortening and whenever blocks beyond the size are dropped; nullopt when the file is gone or that is under way. A recipe
  // made before a change of it, or while there was none, must not be committed: it may be made of the recipe that the shortening is about to cut.
  virtual std::optional<uint64_t> truncateCounter(metadata::FileId fileid) const = 0;

  // ReadOnly, with the reason, once the store takes no more changes: then no recipe is committed and nothing is punched.
  virtual Result<void> checkWritable() const = 0;
};

}  // namespace quarry::dedup
