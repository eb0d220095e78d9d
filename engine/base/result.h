// SPDX-License-Identifier: GPL-3.0-or-later
// Errors are values: a Result<T> holds a T or an Error. No exception crosses a folder. ErrorCode is the one closed list;
// the message is for logs and for the administrator and names what failed (file, VM, path), never how the code is built.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace quarry {

enum class ErrorCode {
  NotFound,
  Exists,
  NotDirectory,
  IsDirectory,
  NotEmpty,
  InvalidArgument,
  NameTooLong,
  Stale,          // a handle to something that is gone
  BadHandle,      // not a handle of this store
  AccessDenied,   // the mode bits or the allow list say no
  NotPermitted,   // only the owner or root may
  ReadOnly,       // export or store is read-only
  NoSpace,
  QuotaExceeded,
  FileTooBig,
  TooManyLinks,
  CrossDevice,
  NotSync,        // a guard (ctime check) did not match
  BadCookie,
  TooSmall,       // the reply limit given cannot hold one entry
  IoError,        // the disk answered with an error
  Corrupt,        // read well, but the checksum or format is wrong
  Lost,           // a file that must exist is missing
  VersionTooNew,  // written by a newer Quarry
  Locked,         // another engine owns the store
  Busy,           // try again later
  Cancelled,
  Timeout,
  Disconnected,
  NotSupported,
  Protocol,       // bytes from outside that do not follow their format
  Internal,
};

// Stable lower-case name, such as "no-space": used in logs, JSON and tests.
std::string_view name(ErrorCode code);
// The code with this name; Internal when there is none.
ErrorCode errorCodeFromName(std::string_view name);

struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;

  bool operator==(const Error&) const = default;
};

template <class T = void>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace quarry
