// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes in any pieces give the same lines as cutting them all at once, up to the first line that is too long.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/check.h"
#include "engine/control/line_splitter.h"

using namespace quarry;

namespace {

constexpr size_t lineBytesMax = 64;

std::vector<std::string> cut(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > lineBytesMax) break;
    std::string line(text.substr(0, end));
    if (end == text.size()) break;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

std::vector<std::string> fuzzSeeds() { return {"\3one\ntwo\r\n\nthree", std::string(1, '\7') + std::string(60, 'a') + "\n" + std::string(70, 'b') + "\nc\n"}; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t pieceBytes = 1 + data[0] % 32;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::string> wanted = cut(text);
  LineSplitter splitter(lineBytesMax);
  std::vector<std::string> lines;
  for (; !text.empty(); text.remove_prefix(std::min(pieceBytes, text.size()))) {
    splitter.feed(text.substr(0, pieceBytes));
    for (auto line = splitter.next(); line && *line; line = splitter.next()) lines.push_back(**line);
  }
  QUARRY_CHECK(lines == wanted);
  return 0;
}
