// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dedup/exclusion.h"

#include <fnmatch.h>

namespace quarry::dedup {
namespace {

bool matches(const std::string& path, const std::string& pattern) {
  const bool wholePath = pattern.find('/') != std::string::npos;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = path.find('/', begin);
    const std::string part = wholePath ? path.substr(0, end) : path.substr(begin, end == std::string::npos ? end : end - begin);
    if (fnmatch(pattern.c_str(), part.c_str(), FNM_PATHNAME) == 0) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> excludedBy(const std::string& path, const std::vector<std::string>& patterns) {
  for (const char* always : {".lck*", "*.vswp"})
    if (matches(path, always)) return always;
  for (const std::string& pattern : patterns)
    if (matches(path, pattern)) return pattern;
  return std::nullopt;
}

}  // namespace quarry::dedup
