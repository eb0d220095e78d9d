// SPDX-License-Identifier: GPL-3.0-or-later
// QUARRY_CHECK: our own invariant, always on; a failure stops the engine before it can write something wrong.
// QUARRY_ASSUME: the same in debug builds only, for hot paths. Never for input from outside: that gets an Error.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace quarry {
[[noreturn]] inline void checkFailed(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
  std::abort();
}
}  // namespace quarry

#define QUARRY_CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::quarry::checkFailed(#condition, __FILE__, __LINE__))

#ifdef NDEBUG
#define QUARRY_ASSUME(condition) static_cast<void>(0)
#else
#define QUARRY_ASSUME(condition) QUARRY_CHECK(condition)
#endif
