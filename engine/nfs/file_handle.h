// SPDX-License-Identifier: GPL-3.0-or-later
// File handles: which inode a client means, in bytes that it can keep but not make.
//
//   handle := version (1) storeId (16) vstorage (4) fileid (8) generation (4) tag (16)      numbers little-endian, 49 bytes
//   valid  := right length and version, our store id, tag = SipHash-2-4-128(key, all before the tag)
//
// VMware's client takes at most 56 bytes. Nothing in a handle changes when the engine restarts or the store moves to another disk.
// Threads: safe from any. Failure: BadHandle for bytes that this store never gave out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/metadata/inode_table.h"
#include "engine/nfs/sip_hash.h"

namespace quarry::nfs {

inline constexpr size_t handleBytes = 1 + 16 + 4 + 8 + 4 + 16;
inline constexpr size_t handleBytesMax = 64;  // of the protocol
static_assert(handleBytes <= 56, "VMware's NFSv3 client takes no longer handle");

using StoreId = std::array<std::byte, 16>;
using EncodedHandle = std::array<std::byte, handleBytes>;

struct FileHandle {
  metadata::VstorageId vstorage = 0;
  metadata::FileId fileid = 0;
  uint32_t generation = 0;
  bool operator==(const FileHandle&) const = default;
};

class HandleCodec {
 public:
  // `storeKey` is the store's secret, of any length; the key for handles is derived from it.
  HandleCodec(const StoreId& storeId, Bytes storeKey);

  EncodedHandle encode(const FileHandle& handle) const;
  Result<FileHandle> decode(Bytes bytes) const;

 private:
  const StoreId m_storeId;
  const SipKey m_key;
};

}  // namespace quarry::nfs
