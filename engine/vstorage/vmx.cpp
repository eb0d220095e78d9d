// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vmx.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace quarry {

namespace {
constexpr size_t valueBytesMax = 256;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool isSameKey(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string unescaped(std::string_view value) {
  std::string text;
  for (size_t i = 0; i < value.size() && text.size() < valueBytesMax; ++i) {
    char c = value[i];
    unsigned code = 0;
    if (c == '|' && i + 2 < value.size() && std::from_chars(value.data() + i + 1, value.data() + i + 3, code, 16).ptr == value.data() + i + 3) {
      c = static_cast<char>(code);
      i += 2;
    }
    if (c >= ' ' && c <= '~') text += c;
  }
  return text;
}

// The value of a line if its key is this one.
std::optional<std::string> valueOf(std::string_view line, std::string_view key) {
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos || !isSameKey(trimmed(line.substr(0, equals)), key)) return std::nullopt;
  std::string_view value = trimmed(line.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"') {
    const size_t close = value.find('"', 1);
    value = value.substr(1, close == std::string_view::npos ? close : close - 1);
  }
  return unescaped(value);
}

struct GuestFamily {
  std::string_view prefix;
  std::string_view name;  // with a trailing space: what follows the prefix is a version
};

// By VMware's guest identifiers; a longer prefix comes before a shorter one of the same start.
constexpr std::array guestFamilies{
    GuestFamily{"windows2019srvnext", "Windows Server 2022"},
    GuestFamily{"windows2022srvnext", "Windows Server 2025"},
    GuestFamily{"windows2019srv", "Windows Server 2019"},
    GuestFamily{"windows9srv", "Windows Server 2016"},
    GuestFamily{"windows8srv", "Windows Server 2012"},
    GuestFamily{"windows7srv", "Windows Server 2008 R2"},
    GuestFamily{"longhorn", "Windows Server 2008"},
    GuestFamily{"winnet", "Windows Server 2003"},
    GuestFamily{"winxp", "Windows XP"},
    GuestFamily{"win2000", "Windows 2000"},
    GuestFamily{"windows11", "Windows 11"},
    GuestFamily{"windows12", "Windows 12"},
    GuestFamily{"windows9", "Windows 10"},
    GuestFamily{"windows8", "Windows 8"},
    GuestFamily{"windows7", "Windows 7"},
    GuestFamily{"winvista", "Windows Vista"},
    GuestFamily{"debian", "Debian "},
    GuestFamily{"ubuntu", "Ubuntu "},
    GuestFamily{"rhel", "Red Hat Enterprise Linux "},
    GuestFamily{"centos", "CentOS "},
    GuestFamily{"rockylinux", "Rocky Linux "},
    GuestFamily{"almalinux", "AlmaLinux "},
    GuestFamily{"oraclelinux", "Oracle Linux "},
    GuestFamily{"fedora", "Fedora "},
    GuestFamily{"amazonlinux", "Amazon Linux "},
    GuestFamily{"opensuse", "openSUSE "},
    GuestFamily{"sles", "SUSE Linux Enterprise "},
    GuestFamily{"suse", "SUSE Linux "},
    GuestFamily{"vmware-photon", "VMware Photon OS "},
    GuestFamily{"coreos", "CoreOS "},
    GuestFamily{"asianux", "Asianux "},
    GuestFamily{"freebsd", "FreeBSD "},
    GuestFamily{"solaris", "Solaris "},
    GuestFamily{"darwin", "macOS "},
    GuestFamily{"vmkernel", "VMware ESXi "},
    GuestFamily{"crxsys", "VMware CRX "},
    GuestFamily{"netware", "NetWare "},
    GuestFamily{"dos", "MS-DOS"},
    GuestFamily{"other6xlinux", "Linux 6.x"},
    GuestFamily{"other5xlinux", "Linux 5.x"},
    GuestFamily{"other4xlinux", "Linux 4.x"},
    GuestFamily{"other3xlinux", "Linux 3.x"},
    GuestFamily{"other26xlinux", "Linux 2.6.x"},
    GuestFamily{"other24xlinux", "Linux 2.4.x"},
    GuestFamily{"otherlinux", "Linux"},
    GuestFamily{"other", "Other"},
};
}  // namespace

std::optional<std::string> vmxValue(std::string_view text, std::string_view key) {
  text = text.substr(0, vmxBytesMax);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    if (!line.starts_with('#')) {
      if (auto value = valueOf(line, key)) return value;
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return std::nullopt;
}

std::string guestName(std::string_view guestOs) {
  std::string id;
  for (const char c : guestOs.substr(0, valueBytesMax)) id += lower(c);
  const auto family = std::find_if(guestFamilies.begin(), guestFamilies.end(), [&id](const GuestFamily& each) { return id.starts_with(each.prefix); });
  if (family == guestFamilies.end()) return std::string(guestOs.substr(0, valueBytesMax));
  std::string name(family->name);
  if (!name.ends_with(' ')) return name;
  size_t digits = family->prefix.size();
  while (digits < id.size() && isDigit(id[digits])) name += id[digits++];
  while (name.ends_with(' ')) name.pop_back();
  return name;
}

}  // namespace quarry
