// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/iso_time.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace quarry {
namespace {
constexpr int64_t nsPerSecond = 1'000'000'000;
}

std::string isoTime(Timestamp time) {
  int64_t seconds = time.unixNs / nsPerSecond;
  if (time.unixNs % nsPerSecond < 0) --seconds;
  const std::time_t whole = seconds;
  std::tm parts{};
  gmtime_r(&whole, &parts);
  std::array<char, 40> text{};
  const size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), length};
}

std::optional<Timestamp> parseIsoTime(std::string_view text) {
  const std::string copy(text);
  std::tm parts{};
  const char* end = strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (!end || *end != '\0') return std::nullopt;
  return Timestamp{static_cast<int64_t>(timegm(&parts)) * nsPerSecond};
}

}  // namespace quarry
