// SPDX-License-Identifier: GPL-3.0-or-later
// What all NFS and MOUNT procedures share: the exports, the handle codec, the clock, and the step from a client's handle to a vstorage and
// an inode that this client may use.
//
// Threads: safe from any. Ownership: exports and clock must outlive it; a Target keeps its vstorage usable.
// Failure of resolve(): BadHandle (not ours), Stale (gone, another generation, vstorage removed), AccessDenied (not on the allow list).
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/net/warning_limit.h"
#include "engine/nfs/file_handle.h"
#include "engine/rpc/request_context.h"
#include "engine/vstorage/export_table.h"

namespace quarry::nfs {

inline constexpr size_t nameBytesMax = 255;

// What a handle stands for, and as whom the client acts there.
struct Target {
  std::shared_ptr<Vstorage> vstorage;
  Caller caller;
  Inode inode;  // as it was when resolved
};

class NfsService {
 public:
  NfsService(ExportTable& exports, const HandleCodec& handles, const Clock& clock) : m_exports(exports), m_handles(handles), m_clock(clock) {}

  Result<Target> resolve(const rpc::RequestContext& context, Bytes handle) const;
  EncodedHandle handleOf(const Inode& inode) const { return m_handles.encode({inode.vstorage, inode.fileid, inode.generation}); }
  ExportTable& exports() const { return m_exports; }
  const Clock& clock() const { return m_clock; }
  net::WarningLimit& warnings() { return m_warnings; }  // for lines that anybody may cause

 private:
  void noteUse(const std::string& client, const Vstorage& vstorage) const;

  ExportTable& m_exports;
  const HandleCodec& m_handles;
  const Clock& m_clock;
  net::WarningLimit m_warnings;
  // When a client's use of a vstorage was noted: its hash picks the slot, its upper half and the minute fill it. Two that share a slot are
  // noted more often.
  mutable std::array<std::atomic<uint64_t>, 256> m_noted{};
};

// Attributes as they are now, after whatever happened since; none when the inode is gone.
std::optional<Inode> attributesNow(const Target& target);
std::optional<Inode> attributesNow(const Result<Target>& target);

// Names that a client may give to one entry. "." and ".." pass checkName() and are refused by the other two.
Result<void> checkName(std::string_view name);
Result<void> checkNewName(std::string_view name);  // Exists for "." and ".."
Result<void> checkOldName(std::string_view name);  // InvalidArgument for "." and ".."

// Ok for a regular file; IsDirectory or InvalidArgument for what has no bytes.
Result<void> checkRegular(const Inode& inode);
Result<void> checkDirectory(const Inode& inode);

}  // namespace quarry::nfs
