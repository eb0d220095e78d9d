// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes, ages, rates and shares as a person types and reads them. Units of bytes are powers of 1024 and say so (KiB, MiB, …), with
// one decimal and three letters, so that they line up in right-aligned columns. Pure functions; InvalidArgument says what would be right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace quarry::ctl {

// "4096", "512MiB", "4g", "2 TiB": whole numbers; units b, k, m, g, t, p, also with "ib", in any case. MB and the like are refused: they mean
// 1000 to some and 1024 to others.
Result<uint64_t> parseSize(std::string_view text);
// "0", "90s", "15m", "2h", "7d", "1w" in seconds.
Result<uint64_t> parseAge(std::string_view text);

std::string sizeText(uint64_t bytes);           // "12.3 GiB", "512 B  "
std::string rateText(double bytesPerSecond);    // "210.0 MiB/s"; "-" for no number, like all below
std::string ageText(uint64_t seconds);          // "1 h 2 min", "45 s", "3 d 4 h"
std::string percentText(double ratio);          // "74.3 %"
std::string countText(double value);            // "400", "12.5"
std::string microsecondsText(double us);        // "250 µs", "12.1 ms"

}  // namespace quarry::ctl
