// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/vstorage_rules.h"

#include <algorithm>

#include "engine/protocol/address_range.h"

namespace quarry::protocol {

namespace {
tl::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::InvalidArgument, std::move(message)); }

bool isNameCharacter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

std::string characterText(char c) {
  if (c == ' ') return "a blank";
  const bool printable = c > ' ' && c <= '~';
  return printable ? "'" + std::string(1, c) + "'" : "a character that is not plain ASCII";
}
}  // namespace

// A leading dash would be an option to the commands that mount it.
Result<void> checkVstorageName(std::string_view name) {
  if (name.empty()) return refuse("a vstorage needs a name");
  if (name.size() > nameBytesMax) return refuse("a vstorage's name has at most 64 characters");
  if (name.front() == '.' || name.front() == '-') return refuse("a vstorage's name does not start with a dot or a dash");
  const auto wrong = std::find_if_not(name.begin(), name.end(), isNameCharacter);
  if (wrong != name.end()) return refuse(characterText(*wrong) + " cannot be in a vstorage's name: use letters, digits, '.', '_' and '-'");
  return {};
}

Result<void> checkClients(const std::vector<std::string>& clients) {
  if (clients.size() > clientsMax) return refuse("at most 256 addresses or ranges may mount a vstorage");
  for (const std::string& client : clients)
    if (auto range = parseAddressRange(client); !range) return fail(range.error());
  return {};
}

}  // namespace quarry::protocol
