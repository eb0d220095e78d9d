// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/host_addresses.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <asio/ip/address.hpp>
#include <cstring>
#include <memory>
#include <optional>

namespace quarry::net {
namespace {

std::optional<asio::ip::address> addressOf(const ifaddrs& entry) {
  if (!entry.ifa_addr || !(entry.ifa_flags & IFF_UP)) return std::nullopt;
  if (entry.ifa_addr->sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, entry.ifa_addr, sizeof four);
    return asio::ip::address_v4(ntohl(four.sin_addr.s_addr));
  }
  if (entry.ifa_addr->sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, entry.ifa_addr, sizeof six);
    asio::ip::address_v6::bytes_type bytes{};
    std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
    return asio::ip::address_v6(bytes);
  }
  return std::nullopt;
}

bool isOfUse(const asio::ip::address& address) {
  if (address.is_loopback() || address.is_unspecified()) return false;
  if (address.is_v6()) return !address.to_v6().is_link_local();
  return (address.to_v4().to_uint() >> 16) != 0xa9fe;  // 169.254.0.0/16
}

}  // namespace

std::vector<std::string> hostAddresses(const std::string& listenAddress) {
  asio::error_code error;
  const asio::ip::address listen = asio::ip::make_address(listenAddress, error);
  if (error || listen.is_loopback()) return {};
  if (!listen.is_unspecified()) return {listen.to_string()};
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, &freeifaddrs);
  std::vector<asio::ip::address> found;
  for (const ifaddrs* entry = list; entry; entry = entry->ifa_next) {
    const auto address = addressOf(*entry);
    if (!address || (listen.is_v4() && !address->is_v4())) continue;
    if (isOfUse(*address) && std::find(found.begin(), found.end(), *address) == found.end()) found.push_back(*address);
  }
  std::stable_partition(found.begin(), found.end(), [](const asio::ip::address& address) { return address.is_v4(); });
  std::vector<std::string> texts;
  for (const auto& address : found) texts.push_back(address.to_string());
  return texts;
}

}  // namespace quarry::net
