// SPDX-License-Identifier: GPL-3.0-or-later
// POSIX permission rules as an NFS server applies them: mode bits for owner, group and others; uid 0 may everything; the owner of a file
// may always read and write its data, because a client that opened it checks only then (RFC 1813, section 4.4).
// Pure functions. Failure: AccessDenied when mode bits say no, NotPermitted when only the owner or root may.
#pragma once

#include <cstdint>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/vstorage/vstorage.h"

namespace quarry {

enum Permission : uint32_t { MayExecute = 1, MayWrite = 2, MayRead = 4 };

// Whether the mode bits grant all of `permissions`.
bool isGranted(const Caller& caller, const Inode& inode, uint32_t permissions);

// Answer to NFS's ACCESS, without regard to read-only exports.
uint32_t grantedAccess(const Caller& caller, const Inode& inode, uint32_t wanted);

Result<void> checkReadData(const Caller& caller, const Inode& inode);
Result<void> checkWriteData(const Caller& caller, const Inode& inode);
Result<void> checkLookup(const Caller& caller, const Inode& directory);
Result<void> checkList(const Caller& caller, const Inode& directory);
// Adding an entry.
Result<void> checkAdd(const Caller& caller, const Inode& directory);
// Removing, replacing or moving away an entry: in a sticky directory only its owner, the directory's or root.
Result<void> checkTakeAway(const Caller& caller, const Inode& directory, const Inode& entry);

// What of `change` the caller may set, with what must follow from it: a new owner clears setuid and setgid, a new size too.
Result<metadata::AttributeChange> permittedChange(const Caller& caller, const Inode& inode, metadata::AttributeChange change, Timestamp now);

// Attributes of what the caller makes in `directory`: owner, and group (the directory's when it is setgid).
Result<metadata::AttributeChange> attributesOfNew(const Caller& caller, const Inode& directory, metadata::FileType type,
                                                  metadata::AttributeChange wanted);

}  // namespace quarry
