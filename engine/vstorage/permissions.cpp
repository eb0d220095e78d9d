// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/permissions.h"

#include <algorithm>
#include <cstdlib>

namespace quarry {

namespace {
constexpr uint32_t setUidBit = 04000, setGidBit = 02000, stickyBit = 01000, groupExecuteBit = 010;
// NFS's "set to server time" arrives as the time at which the call was decoded.
constexpr int64_t serverTimeNsMax = 5'000'000'000;

bool isDirectory(const Inode& inode) { return inode.type == metadata::FileType::Directory; }
bool isRoot(const Caller& caller) { return caller.uid == 0; }
bool isOwner(const Caller& caller, const Inode& inode) { return isRoot(caller) || caller.uid == inode.uid; }

bool isInGroup(const Caller& caller, uint32_t gid) {
  return caller.gid == gid || std::find(caller.groups.begin(), caller.groups.end(), gid) != caller.groups.end();
}

tl::unexpected<Error> denied() { return fail(ErrorCode::AccessDenied, "the mode bits do not allow it"); }
tl::unexpected<Error> notOwner() { return fail(ErrorCode::NotPermitted, "only the owner or root may do that"); }

Result<void> require(bool isAllowed) {
  if (!isAllowed) return denied();
  return {};
}

bool isAboutNow(const std::optional<Timestamp>& time, Timestamp now) { return !time || std::abs(time->unixNs - now.unixNs) <= serverTimeNsMax; }

Result<void> checkOwnerChange(const Caller& caller, const Inode& inode, const metadata::AttributeChange& change) {
  if (isRoot(caller)) return {};
  if (change.uid && *change.uid != inode.uid) return fail(ErrorCode::NotPermitted, "only root may give a file away");
  if (change.gid && *change.gid != inode.gid && (!isOwner(caller, inode) || !isInGroup(caller, *change.gid)))
    return fail(ErrorCode::NotPermitted, "only the owner may change the group, and only to one of its own");
  return {};
}
}  // namespace

bool isGranted(const Caller& caller, const Inode& inode, uint32_t permissions) {
  if (isRoot(caller)) return !(permissions & MayExecute) || isDirectory(inode) || (inode.mode & 0111) != 0;
  uint32_t granted = inode.mode;
  if (caller.uid == inode.uid) {
    granted >>= 6;
  } else if (isInGroup(caller, inode.gid)) {
    granted >>= 3;
  }
  return (granted & permissions) == permissions;
}

uint32_t grantedAccess(const Caller& caller, const Inode& inode, uint32_t wanted) {
  uint32_t granted = 0;
  if (isGranted(caller, inode, MayRead)) granted |= AccessRead;
  if (isDirectory(inode)) {
    if (isGranted(caller, inode, MayExecute)) granted |= AccessLookup;
    if (isGranted(caller, inode, MayWrite | MayExecute)) granted |= AccessModify | AccessExtend | AccessDelete;
  } else {
    if (isGranted(caller, inode, MayExecute)) granted |= AccessExecute;
    if (isGranted(caller, inode, MayWrite)) granted |= AccessModify | AccessExtend;
  }
  return granted & wanted;
}

// Who may execute a file may read it: the client loads it page by page.
Result<void> checkReadData(const Caller& caller, const Inode& inode) {
  return require(isOwner(caller, inode) || isGranted(caller, inode, MayRead) || isGranted(caller, inode, MayExecute));
}

Result<void> checkWriteData(const Caller& caller, const Inode& inode) {
  return require(isOwner(caller, inode) || isGranted(caller, inode, MayWrite));
}

Result<void> checkLookup(const Caller& caller, const Inode& directory) { return require(isGranted(caller, directory, MayExecute)); }
Result<void> checkList(const Caller& caller, const Inode& directory) { return require(isGranted(caller, directory, MayRead)); }
Result<void> checkAdd(const Caller& caller, const Inode& directory) { return require(isGranted(caller, directory, MayWrite | MayExecute)); }

Result<void> checkTakeAway(const Caller& caller, const Inode& directory, const Inode& entry) {
  if (auto allowed = checkAdd(caller, directory); !allowed) return allowed;
  if ((directory.mode & stickyBit) && !isOwner(caller, directory) && !isOwner(caller, entry))
    return fail(ErrorCode::NotPermitted, "in a sticky directory only the owner may remove or rename");
  return {};
}

Result<metadata::AttributeChange> permittedChange(const Caller& caller, const Inode& inode, metadata::AttributeChange change, Timestamp now) {
  if (auto allowed = checkOwnerChange(caller, inode, change); !allowed) return fail(allowed.error());
  if (change.mode && !isOwner(caller, inode)) return notOwner();
  if ((change.accessed || change.modified) && !isOwner(caller, inode)) {
    const bool isServerTime = isAboutNow(change.accessed, now) && isAboutNow(change.modified, now);
    if (!isServerTime || !isGranted(caller, inode, MayWrite)) return notOwner();
  }
  if (change.size) {
    if (auto allowed = checkWriteData(caller, inode); !allowed) return fail(allowed.error());
  }

  if (change.mode) *change.mode &= 07777;
  if (change.mode && !isRoot(caller) && !isDirectory(inode) && !isInGroup(caller, change.gid.value_or(inode.gid))) *change.mode &= ~setGidBit;
  const bool isGivenAway = (change.uid && *change.uid != inode.uid) || (change.gid && *change.gid != inode.gid);
  const bool losesPrivilege = isGivenAway || (change.size && !isRoot(caller));
  if (losesPrivilege && !isDirectory(inode)) {
    const uint32_t mode = change.mode.value_or(inode.mode);
    // Without group execute the setgid bit means mandatory locking and grants nothing.
    const uint32_t cleared = mode & ~(setUidBit | ((mode & groupExecuteBit) ? setGidBit : 0));
    if (cleared != mode) change.mode = cleared;
  }
  return change;
}

Result<metadata::AttributeChange> attributesOfNew(const Caller& caller, const Inode& directory, metadata::FileType type,
                                                  metadata::AttributeChange wanted) {
  const bool isSetGid = (directory.mode & setGidBit) != 0;
  if (!isRoot(caller)) {
    if (wanted.uid && *wanted.uid != caller.uid) return fail(ErrorCode::NotPermitted, "only root may make files for others");
    const bool isOwnGroup = !wanted.gid || isInGroup(caller, *wanted.gid) || (isSetGid && *wanted.gid == directory.gid);
    if (!isOwnGroup) return fail(ErrorCode::NotPermitted, "the group is not one of the caller's");
  }
  if (!wanted.uid) wanted.uid = caller.uid;
  if (!wanted.gid) wanted.gid = isSetGid ? directory.gid : caller.gid;
  const bool isFolder = type == metadata::FileType::Directory;
  wanted.mode = wanted.mode.value_or(isFolder ? 0755 : 0644) & 07777;
  if (isFolder && isSetGid) *wanted.mode |= setGidBit;
  if (!isFolder && !isRoot(caller) && !isInGroup(caller, *wanted.gid)) *wanted.mode &= ~setGidBit;
  return wanted;
}

}  // namespace quarry
