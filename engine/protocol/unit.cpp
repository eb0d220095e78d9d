// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/unit.h"

#include "engine/protocol/names.h"

namespace quarry::protocol {

std::string_view name(Unit unit) {
  switch (unit) {
    case Unit::Count: return "count";
    case Unit::PerSecond: return "per-second";
    case Unit::Bytes: return "bytes";
    case Unit::BytesPerSecond: return "bytes-per-second";
    case Unit::Microseconds: return "microseconds";
    case Unit::Seconds: return "seconds";
    case Unit::Ratio: return "ratio";
  }
  return {};
}

Unit unitFromName(std::string_view wanted) { return enumFromName<Unit>(wanted).value_or(Unit::Count); }

}  // namespace quarry::protocol
