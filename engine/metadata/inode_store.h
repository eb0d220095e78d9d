// SPDX-License-Identifier: GPL-3.0-or-later
// The namespace in namespace.db: loading the whole of it, and writing single rows inside the caller's transaction. Stateless.
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/result.h"
#include "engine/metadata/database.h"
#include "engine/metadata/inode_index.h"

namespace quarry::metadata::inode_store {

// Corrupt when rows contradict each other: an entry without its directory or inode, a name twice.
Result<InodeIndex> load(Database& database);

Result<void> insertInode(Database& database, const Inode& inode, std::string_view symlinkTarget);
Result<void> updateInode(Database& database, const Inode& inode);  // all but type, vstorage, generation, device, symlink
Result<void> deleteInode(Database& database, FileId fileid);
Result<void> insertEntry(Database& database, FileId directory, uint64_t cookie, std::string_view name, FileId fileid);
Result<void> setEntryTarget(Database& database, uint64_t cookie, FileId fileid);
Result<void> deleteEntry(Database& database, uint64_t cookie);
Result<void> setCounter(Database& database, std::string_view name, uint64_t value);

Result<void> insertVstorage(Database& database, const VstorageRow& row);
Result<void> updateVstorageSettings(Database& database, VstorageId id, std::string_view settings);
Result<void> deleteVstorage(Database& database, VstorageId id);  // with its inodes and entries

}  // namespace quarry::metadata::inode_store
