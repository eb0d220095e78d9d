// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a stream of bytes into lines at '\n' (a '\r' before it is dropped, empty lines are skipped). Bytes arrive in any pieces. Never
// holds more than one unfinished line of lineBytesMax and what was fed last. One thread. Fuzzed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace quarry {

class LineSplitter {
 public:
  explicit LineSplitter(size_t lineBytesMax) : m_lineBytesMax(lineBytesMax) {}

  void feed(std::string_view bytes);
  // The next whole line; none: feed more. Protocol once a line is too long: nothing more comes out then.
  Result<std::optional<std::string>> next();

 private:
  const size_t m_lineBytesMax;
  std::string m_buffer;
  size_t m_start = 0;    // of the unfinished line in m_buffer
  size_t m_scanned = 0;  // no '\n' before it
  bool m_failed = false;
};

}  // namespace quarry
