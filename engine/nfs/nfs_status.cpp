// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs_status.h"

namespace quarry::nfs {

Nfsstat3 toNfsStatus(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound: return Nfsstat3::NoEnt;
    case ErrorCode::Exists: return Nfsstat3::Exist;
    case ErrorCode::NotDirectory: return Nfsstat3::NotDir;
    case ErrorCode::IsDirectory: return Nfsstat3::IsDir;
    case ErrorCode::NotEmpty: return Nfsstat3::NotEmpty;
    case ErrorCode::InvalidArgument: return Nfsstat3::Inval;
    case ErrorCode::NameTooLong: return Nfsstat3::NameTooLong;
    case ErrorCode::Stale: return Nfsstat3::Stale;
    case ErrorCode::BadHandle: return Nfsstat3::BadHandle;
    case ErrorCode::AccessDenied: return Nfsstat3::Acces;
    case ErrorCode::NotPermitted: return Nfsstat3::Perm;
    case ErrorCode::ReadOnly: return Nfsstat3::RoFs;
    case ErrorCode::QuotaExceeded:  // clients see the quota as the size of the file system, and hypervisors pause a VM on NOSPC only
    case ErrorCode::NoSpace: return Nfsstat3::NoSpc;
    case ErrorCode::FileTooBig: return Nfsstat3::FBig;
    case ErrorCode::TooManyLinks: return Nfsstat3::MLink;
    case ErrorCode::CrossDevice: return Nfsstat3::XDev;
    case ErrorCode::NotSync: return Nfsstat3::NotSync;
    case ErrorCode::BadCookie: return Nfsstat3::BadCookie;
    case ErrorCode::TooSmall: return Nfsstat3::TooSmall;
    case ErrorCode::NotSupported: return Nfsstat3::NotSupp;
    case ErrorCode::IoError:
    case ErrorCode::Corrupt:
    case ErrorCode::Lost:
    case ErrorCode::Disconnected: return Nfsstat3::Io;
    case ErrorCode::Locked:
    case ErrorCode::Busy:
    case ErrorCode::Timeout:
    case ErrorCode::Cancelled: return Nfsstat3::Jukebox;
    case ErrorCode::VersionTooNew:
    case ErrorCode::Protocol:
    case ErrorCode::Internal: return Nfsstat3::ServerFault;
  }
  return Nfsstat3::ServerFault;
}

Nfsstat3 toMountStatus(ErrorCode code) {
  const Nfsstat3 status = toNfsStatus(code);
  switch (status) {
    case Nfsstat3::Perm:
    case Nfsstat3::NoEnt:
    case Nfsstat3::Io:
    case Nfsstat3::Acces:
    case Nfsstat3::NotDir:
    case Nfsstat3::Inval:
    case Nfsstat3::NameTooLong:
    case Nfsstat3::NotSupp: return status;
    case Nfsstat3::Stale: return Nfsstat3::NoEnt;  // removed while it was looked up
    default: return Nfsstat3::ServerFault;
  }
}

}  // namespace quarry::nfs
