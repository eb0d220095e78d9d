// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/posix_error.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace quarry::os {

ErrorCode codeOfErrno(int errnoValue) {
  switch (errnoValue) {
    case ENOENT: return ErrorCode::NotFound;
    case EEXIST: return ErrorCode::Exists;
    case ENOTDIR: return ErrorCode::NotDirectory;
    case EISDIR: return ErrorCode::IsDirectory;
    case ENOTEMPTY: return ErrorCode::NotEmpty;
    case EINVAL: return ErrorCode::InvalidArgument;
    case ENAMETOOLONG: return ErrorCode::NameTooLong;
    case EACCES: return ErrorCode::AccessDenied;
    case EPERM: return ErrorCode::NotPermitted;
    case EROFS: return ErrorCode::ReadOnly;
    case ENOSPC:
    case EDQUOT: return ErrorCode::NoSpace;
    case EFBIG: return ErrorCode::FileTooBig;
    case EMLINK: return ErrorCode::TooManyLinks;
    case EXDEV: return ErrorCode::CrossDevice;
    case ECANCELED: return ErrorCode::Cancelled;
    case EBUSY:
    case EAGAIN:
    // The process or the machine ran out of something that comes back: the disk was not asked and is not at fault.
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS: return ErrorCode::Busy;
    case ENOSYS:
    case EOPNOTSUPP: return ErrorCode::NotSupported;
    default: return ErrorCode::IoError;
  }
}

Error errnoError(int errnoValue, std::string_view verb, const std::string& path) {
  return {codeOfErrno(errnoValue), "cannot " + std::string(verb) + " " + path + ": " + std::strerror(errnoValue)};
}

Descriptor::~Descriptor() {
  if (m_value >= 0) ::close(m_value);
}

}  // namespace quarry::os
