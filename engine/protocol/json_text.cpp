// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/json_text.h"

#include "engine/protocol/codec.h"

namespace quarry::protocol {
namespace {

// True when brackets nest deeper than nestingMax. Text inside strings does not count.
bool isTooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString && c == '\\') {
      ++i;
    } else if (c == '"') {
      inString = !inString;
    } else if (!inString && (c == '[' || c == '{')) {
      if (++depth > nestingMax) return true;
    } else if (!inString && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return false;
}

}  // namespace

Result<nlohmann::json> parseJson(std::string_view text) {
  if (text.size() > lineBytesMax) return fail(ErrorCode::Protocol, "longer than " + std::to_string(lineBytesMax) + " bytes");
  if (isTooDeep(text)) return fail(ErrorCode::Protocol, "nested deeper than " + std::to_string(nestingMax) + " levels");
  nlohmann::json value = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded()) return fail(ErrorCode::Protocol, "not JSON");
  return value;
}

std::string dumpJson(const nlohmann::json& value) { return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

}  // namespace quarry::protocol
