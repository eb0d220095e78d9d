// SPDX-License-Identifier: GPL-3.0-or-later
// The text of every enum of the protocol, as JSON and the command line spell it. Pure functions; safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/protocol/messages.h"
#include "engine/protocol/unit.h"

namespace quarry::protocol {

// Empty for a number that is no value of the enum.
std::string_view name(StoreState state);
std::string_view name(WriteMode mode);
std::string_view name(Squash squash);
std::string_view name(JobType type);
std::string_view name(JobState state);
std::string_view name(Severity severity);

// The value with this name, none when there is no such name. The enums count up from 0 without gaps.
template <class Enum>
std::optional<Enum> enumFromName(std::string_view wanted) {
  for (int i = 0; !name(static_cast<Enum>(i)).empty(); ++i)
    if (name(static_cast<Enum>(i)) == wanted) return static_cast<Enum>(i);
  return std::nullopt;
}

// "safe, through, ram": for messages that say what would have been right.
template <class Enum>
std::string enumNames() {
  std::string names;
  for (int i = 0; !name(static_cast<Enum>(i)).empty(); ++i) names.append(i == 0 ? "" : ", ").append(name(static_cast<Enum>(i)));
  return names;
}

}  // namespace quarry::protocol
