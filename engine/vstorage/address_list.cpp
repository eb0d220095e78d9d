// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/address_list.h"

#include <algorithm>
#include <asio/ip/address.hpp>
#include <charconv>
#include <optional>

namespace quarry {

namespace {
constexpr unsigned mappedPrefixBits = 96;  // ::ffff:0:0/96 holds the IPv4 addresses

std::optional<asio::ip::address> parseAddress(std::string_view text) {
  if (text.empty() || text.size() > 64 || text.find('%') != std::string_view::npos) return std::nullopt;
  std::error_code failure;
  const auto address = asio::ip::make_address(std::string(text), failure);
  if (failure) return std::nullopt;
  return address;
}

std::array<uint8_t, 16> bytesOf(const asio::ip::address& address) {
  if (address.is_v4()) return asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4()).to_bytes();
  return address.to_v6().to_bytes();
}

bool agree(const std::array<uint8_t, 16>& a, const std::array<uint8_t, 16>& b, unsigned bits) {
  const size_t whole = bits / 8;
  if (!std::equal(a.begin(), a.begin() + static_cast<ptrdiff_t>(whole), b.begin())) return false;
  if (bits % 8 == 0) return true;
  const unsigned shift = 8 - bits % 8;
  return a[whole] >> shift == b[whole] >> shift;
}

tl::unexpected<Error> refuse(std::string_view entry, std::string_view why) {
  return fail(ErrorCode::InvalidArgument, "client \"" + std::string(entry) + "\": " + std::string(why));
}
}  // namespace

Result<AddressList::Range> AddressList::parseRange(std::string_view entry) {
  const size_t slash = entry.find('/');
  const auto address = parseAddress(entry.substr(0, slash));
  if (!address) return refuse(entry, "not an IPv4 or IPv6 address or range such as 192.168.1.0/24");
  Range range{bytesOf(*address), 128};
  if (slash == std::string_view::npos) return range;

  const std::string_view digits = entry.substr(slash + 1);
  unsigned bits = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const unsigned bitsMax = address->is_v4() ? 32 : 128;
  const bool isPlain = !digits.empty() && digits.size() <= 3 && (digits.size() == 1 || digits[0] != '0');
  if (!isPlain || parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() || bits > bitsMax)
    return refuse(entry, "the prefix length must be 0 to " + std::to_string(bitsMax));
  range.prefixBits = address->is_v4() ? bits + mappedPrefixBits : bits;

  for (unsigned bit = range.prefixBits; bit < 128; ++bit)
    if (range.address[bit / 8] & (0x80u >> (bit % 8))) return refuse(entry, "has bits set behind its prefix");
  return range;
}

Result<AddressList> AddressList::parse(const std::vector<std::string>& entries) {
  static const std::vector<std::string> loopback{"127.0.0.0/8", "::1"};
  AddressList list;
  for (const std::string& entry : entries.empty() ? loopback : entries) {
    auto range = parseRange(entry);
    if (!range) return fail(range.error());
    list.m_ranges.push_back(*range);
  }
  return list;
}

bool AddressList::contains(std::string_view text) const {
  // A link-local client arrives with its interface: "fe80::1%eth0".
  const auto address = parseAddress(text.substr(0, text.find('%')));
  if (!address) return false;
  const auto bytes = bytesOf(*address);
  // A range of IPv6 addresses, such as ::/0, is not meant to let IPv4 clients in.
  const unsigned prefixBitsMin = address->is_v4() || address->to_v6().is_v4_mapped() ? mappedPrefixBits : 0;
  return std::any_of(m_ranges.begin(), m_ranges.end(), [&bytes, prefixBitsMin](const Range& range) {
    return range.prefixBits >= prefixBitsMin && agree(range.address, bytes, range.prefixBits);
  });
}

}  // namespace quarry
