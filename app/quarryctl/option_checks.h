// SPDX-License-Identifier: GPL-3.0-or-later
// Checks for options, in CLI11's form: an empty text is a pass, anything else the message of a wrong usage. And the values that a
// checked text stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/quarryctl/amount.h"
#include "engine/base/check.h"
#include "engine/protocol/names.h"

namespace quarry::ctl {

inline std::string checkSize(const std::string& text) {
  const auto size = parseSize(text);
  return size ? std::string() : size.error().message;
}

inline std::string checkAge(const std::string& text) {
  const auto age = parseAge(text);
  return age ? std::string() : age.error().message;
}

template <class Enum>
std::string checkName(const std::string& text) {
  if (protocol::enumFromName<Enum>(text)) return {};
  return "'" + text + "' is none of " + protocol::enumNames<Enum>();
}

// Texts that passed their check; none for an option that was not given.
inline std::optional<uint64_t> sizeOf(const std::string& text) { return text.empty() ? std::nullopt : std::optional(parseSize(text).value()); }
inline std::optional<uint64_t> ageOf(const std::string& text) { return text.empty() ? std::nullopt : std::optional(parseAge(text).value()); }
template <class Enum>
std::optional<Enum> valueOf(const std::string& text) {
  return protocol::enumFromName<Enum>(text);
}

}  // namespace quarry::ctl
