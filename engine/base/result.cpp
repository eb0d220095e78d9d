// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/result.h"

#include <array>

namespace quarry {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound: return "not-found";
    case ErrorCode::Exists: return "exists";
    case ErrorCode::NotDirectory: return "not-directory";
    case ErrorCode::IsDirectory: return "is-directory";
    case ErrorCode::NotEmpty: return "not-empty";
    case ErrorCode::InvalidArgument: return "invalid-argument";
    case ErrorCode::NameTooLong: return "name-too-long";
    case ErrorCode::Stale: return "stale";
    case ErrorCode::BadHandle: return "bad-handle";
    case ErrorCode::AccessDenied: return "access-denied";
    case ErrorCode::NotPermitted: return "not-permitted";
    case ErrorCode::ReadOnly: return "read-only";
    case ErrorCode::NoSpace: return "no-space";
    case ErrorCode::QuotaExceeded: return "quota-exceeded";
    case ErrorCode::FileTooBig: return "file-too-big";
    case ErrorCode::TooManyLinks: return "too-many-links";
    case ErrorCode::CrossDevice: return "cross-device";
    case ErrorCode::NotSync: return "not-sync";
    case ErrorCode::BadCookie: return "bad-cookie";
    case ErrorCode::TooSmall: return "too-small";
    case ErrorCode::IoError: return "io-error";
    case ErrorCode::Corrupt: return "corrupt";
    case ErrorCode::Lost: return "lost";
    case ErrorCode::VersionTooNew: return "version-too-new";
    case ErrorCode::Locked: return "locked";
    case ErrorCode::Busy: return "busy";
    case ErrorCode::Cancelled: return "cancelled";
    case ErrorCode::Timeout: return "timeout";
    case ErrorCode::Disconnected: return "disconnected";
    case ErrorCode::NotSupported: return "not-supported";
    case ErrorCode::Protocol: return "protocol";
    case ErrorCode::Internal: return "internal";
  }
  return "internal";
}

ErrorCode errorCodeFromName(std::string_view wanted) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i)
    if (name(static_cast<ErrorCode>(i)) == wanted) return static_cast<ErrorCode>(i);
  return ErrorCode::Internal;
}

}  // namespace quarry
