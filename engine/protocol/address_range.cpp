// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/address_range.h"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <cstring>
#include <string>

namespace quarry::protocol {

namespace {
constexpr unsigned mappedPrefixBits = 96;  // ::ffff:0:0/96 holds the IPv4 addresses
constexpr size_t addressTextMax = 64;

bool isMapped(const AddressBytes& address) {
  static constexpr std::array<uint8_t, 12> prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::equal(prefix.begin(), prefix.end(), address.begin());
}

bool isVersion4(std::string_view text) { return text.find(':') == std::string_view::npos; }

// With all bits behind the prefix cleared.
AddressBytes networkOf(AddressBytes address, unsigned prefixBits) {
  for (unsigned bit = prefixBits; bit < 128; ++bit) address[bit / 8] &= static_cast<uint8_t>(~(0x80u >> (bit % 8)));
  return address;
}

std::string textOf(const AddressBytes& address, bool version4) {
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(version4 ? AF_INET : AF_INET6, address.data() + (version4 ? mappedPrefixBits / 8 : 0), text, sizeof(text));
  return text;
}

std::optional<unsigned> parsePrefix(std::string_view digits, unsigned bitsMax) {
  unsigned bits = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const bool isPlain = !digits.empty() && digits.size() <= 3 && (digits.size() == 1 || digits[0] != '0');
  if (!isPlain || parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() || bits > bitsMax) return std::nullopt;
  return bits;
}

tl::unexpected<Error> refuse(std::string_view entry, const std::string& why) {
  return fail(ErrorCode::InvalidArgument, "\"" + std::string(entry) + "\" " + why);
}
}  // namespace

bool AddressRange::contains(const AddressBytes& client) const {
  if (isMapped(client) && prefixBits < mappedPrefixBits) return false;
  return networkOf(client, prefixBits) == address;
}

std::optional<AddressBytes> parseAddress(std::string_view text) {
  if (text.empty() || text.size() > addressTextMax) return std::nullopt;
  AddressBytes bytes{};
  const std::string terminated(text);
  if (std::strlen(terminated.c_str()) != text.size()) return std::nullopt;
  if (!isVersion4(text)) return ::inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1 ? std::optional(bytes) : std::nullopt;
  bytes[10] = bytes[11] = 0xff;
  return ::inet_pton(AF_INET, terminated.c_str(), bytes.data() + mappedPrefixBits / 8) == 1 ? std::optional(bytes) : std::nullopt;
}

Result<AddressRange> parseAddressRange(std::string_view entry) {
  const size_t slash = entry.find('/');
  const std::string_view address = entry.substr(0, slash);
  const auto bytes = parseAddress(address);
  if (!bytes) return refuse(entry, "is not an address: write one as 192.0.2.7 or a range as 192.0.2.0/24");
  if (slash == std::string_view::npos) return AddressRange{*bytes, 128};

  const bool version4 = isVersion4(address);
  const unsigned bitsMax = version4 ? 32 : 128;
  const auto bits = parsePrefix(entry.substr(slash + 1), bitsMax);
  if (!bits) return refuse(entry, "has no prefix length: write a number from 0 to " + std::to_string(bitsMax) + " behind the slash");
  const AddressRange range{*bytes, version4 ? *bits + mappedPrefixBits : *bits};
  const AddressBytes network = networkOf(*bytes, range.prefixBits);
  if (network != *bytes)
    return refuse(entry, "names a host: write " + textOf(network, version4) + "/" + std::to_string(*bits) + " for the range or " +
                             std::string(address) + " for the host");
  return range;
}

}  // namespace quarry::protocol
