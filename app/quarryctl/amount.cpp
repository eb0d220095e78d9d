// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/amount.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace quarry::ctl {
namespace {

struct Amount {
  uint64_t number = 0;
  std::string unit;  // lower case
};

// A whole number and the letters behind it, blanks between them allowed.
Result<Amount> split(std::string_view text) {
  Amount amount;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount.number);
  if (error == std::errc::result_out_of_range) return fail(ErrorCode::InvalidArgument, "'" + std::string(text) + "' is too large");
  if (error != std::errc()) return fail(ErrorCode::InvalidArgument, "'" + std::string(text) + "' does not start with a whole number");
  std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  for (const char c : rest) amount.unit += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return amount;
}

Result<uint64_t> scale(std::string_view text, uint64_t number, uint64_t factor) {
  if (number > std::numeric_limits<uint64_t>::max() / factor) return fail(ErrorCode::InvalidArgument, "'" + std::string(text) + "' is too large");
  return number * factor;
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

constexpr std::string_view sizeLetters = "kmgtp";
constexpr std::array<const char*, 6> sizeUnits{"B  ", "KiB", "MiB", "GiB", "TiB", "PiB"};

}  // namespace

Result<uint64_t> parseSize(std::string_view text) {
  const Result<Amount> amount = split(text);
  if (!amount) return fail(amount.error());
  const std::string& unit = amount->unit;
  if (unit.empty() || unit == "b") return amount->number;
  const size_t power = sizeLetters.find(unit[0]);
  if (power != std::string_view::npos && (unit.size() == 1 || unit.substr(1) == "ib"))
    return scale(text, amount->number, uint64_t{1} << (10 * (power + 1)));
  if (power != std::string_view::npos && unit.substr(1) == "b")
    return fail(ErrorCode::InvalidArgument, "'" + std::string(text) + "' is ambiguous: write KiB, MiB, GiB, TiB (powers of 1024)");
  return fail(ErrorCode::InvalidArgument, "'" + std::string(text) + "' is not a size such as 4096, 512MiB or 4g");
}

Result<uint64_t> parseAge(std::string_view text) {
  const Result<Amount> amount = split(text);
  if (!amount) return fail(amount.error());
  const std::string& unit = amount->unit;
  if (unit == "s") return amount->number;
  if (unit == "m" || unit == "min") return scale(text, amount->number, 60);
  if (unit == "h") return scale(text, amount->number, 3600);
  if (unit == "d") return scale(text, amount->number, 86400);
  if (unit == "w") return scale(text, amount->number, 7 * 86400);
  if (unit.empty() && amount->number == 0) return 0;
  if (unit.empty()) return fail(ErrorCode::InvalidArgument, "'" + std::string(text) + "' needs a unit: s, m, h, d or w");
  return fail(ErrorCode::InvalidArgument, "'" + std::string(text) + "' is not an age such as 0, 90s, 2h or 7d");
}

std::string sizeText(uint64_t bytes) {
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1023.95 && unit + 1 < sizeUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return formatted(unit == 0 ? "%.0f " : "%.1f ", value) + sizeUnits[unit];
}

std::string rateText(double bytesPerSecond) {
  if (!std::isfinite(bytesPerSecond)) return "-";
  std::string text = sizeText(bytesPerSecond <= 0 ? 0 : static_cast<uint64_t>(bytesPerSecond));
  const size_t end = text.find_last_not_of(' ') + 1;
  return text.insert(end, "/s");
}

std::string ageText(uint64_t seconds) {
  const auto two = [](uint64_t large, const char* largeUnit, uint64_t small, const char* smallUnit) {
    return std::to_string(large) + largeUnit + (small == 0 ? "" : " " + std::to_string(small) + smallUnit);
  };
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return two(seconds / 60, " min", seconds % 60, " s");
  if (seconds < 86400) return two(seconds / 3600, " h", seconds % 3600 / 60, " min");
  return two(seconds / 86400, " d", seconds % 86400 / 3600, " h");
}

std::string percentText(double ratio) { return std::isfinite(ratio) ? formatted("%.1f %%", ratio * 100) : "-"; }

std::string countText(double value) {
  if (!std::isfinite(value)) return "-";
  return formatted(value == std::floor(value) || value >= 100 ? "%.0f" : "%.1f", value);
}

std::string microsecondsText(double us) {
  if (!std::isfinite(us)) return "-";
  if (us < 1000) return formatted("%.0f µs", us);
  if (us < 1'000'000) return formatted("%.1f ms", us / 1000);
  return formatted("%.1f s ", us / 1'000'000);
}

}  // namespace quarry::ctl
