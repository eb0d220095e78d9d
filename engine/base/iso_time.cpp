// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/iso_time.h"

#include <charconv>
#include <chrono>
#include <cstdio>

namespace quarry {

std::string isoTime(Timestamp time) {
  using namespace std::chrono;
  const sys_seconds seconds{floor<std::chrono::seconds>(nanoseconds(time.unixNs))};
  const auto day = floor<days>(seconds);
  const year_month_day date{day};
  const hh_mm_ss clock{seconds - day};
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", int{date.year()}, unsigned{date.month()}, unsigned{date.day()},
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return text;
}

std::optional<Timestamp> parseIsoTime(std::string_view text) {
  using namespace std::chrono;
  static constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != form.size()) return std::nullopt;
  for (size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return std::nullopt;
  const auto number = [text](size_t at, size_t size) {
    unsigned value = 0;
    std::from_chars(text.data() + at, text.data() + at + size, value);
    return value;
  };
  const year_month_day date{year(static_cast<int>(number(0, 4))), month(number(5, 2)), day(number(8, 2))};
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59) return std::nullopt;
  const sys_seconds seconds = sys_days(date) + hours(number(11, 2)) + minutes(number(14, 2)) + std::chrono::seconds(number(17, 2));
  const int64_t unixSeconds = seconds.time_since_epoch().count();
  if (unixSeconds > INT64_MAX / 1'000'000'000) return std::nullopt;
  return Timestamp{unixSeconds * 1'000'000'000};
}

}  // namespace quarry
