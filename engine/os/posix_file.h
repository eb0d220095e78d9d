// SPDX-License-Identifier: GPL-3.0-or-later
// A File on a descriptor of the host. Made by the FileSystem of file.h; the rules are written there.
#pragma once

#include <string>
#include <vector>

#include "engine/os/file.h"
#include "engine/os/posix_error.h"
#include "engine/os/uring.h"

namespace quarry::os {

class PosixFile : public File {
 public:
  PosixFile(Descriptor descriptor, std::string path, CacheMode cache);

  Task<Result<uint64_t>> readAt(uint64_t offset, MutableBytes into) override;
  Task<Result<void>> writeAt(uint64_t offset, Bytes data, Durability durability) override;
  Task<Result<void>> sync() override;
  Task<Result<void>> punchHole(ByteRange range) override;
  Task<Result<void>> resize(uint64_t size) override;
  Result<std::vector<ByteRange>> dataRanges(uint64_t from, uint64_t to) override;
  Result<uint64_t> size() override;
  Result<uint64_t> allocatedBytes() override;

 private:
  Task<int> runUntilAnswered(UringRequest request);
  Error error(int errnoValue, std::string_view verb) const;

  const Descriptor m_descriptor;
  const std::string m_path;
  const CacheMode m_cache;
};

}  // namespace quarry::os
