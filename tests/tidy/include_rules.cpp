// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <optional>
#include <regex>

#include "tests/tidy/rules.h"

namespace quarry::tidy {

namespace {
// A folder may include folders of lower numbers, and itself.
const std::map<std::string, int> engineLevels = {
    {"base", 0},       {"protocol", 1}, {"os", 2},    {"stats", 2}, {"net", 3},  {"journal", 3}, {"landing", 3}, {"metadata", 3}, {"rpc", 4},
    {"blockstore", 4}, {"cache", 5},    {"vstorage", 6}, {"dedup", 7}, {"nfs", 7},  {"jobs", 8},    {"lab", 8},     {"control", 9},
};
constexpr int engineTopLevel = 10;  // above all folders: engine.h, options.h, main.cpp
constexpr std::string_view precompiledSet = "engine/pch.h";  // headers that all engine folders compile once: no one's own choice

// "os" of "engine/os/file.h"; empty for files directly in engine/.
std::string engineFolder(const std::string& path) {
  const size_t start = std::string("engine/").size();
  const size_t end = path.find('/', start);
  return end == std::string::npos ? "" : path.substr(start, end - start);
}

std::optional<int> engineLevel(const std::string& path) {
  const std::string folder = engineFolder(path);
  if (folder.empty()) return engineTopLevel;
  const auto level = engineLevels.find(folder);
  return level == engineLevels.end() ? std::nullopt : std::optional(level->second);
}

std::optional<std::string> engineIncludeFault(const std::string& from, const std::string& to) {
  if (!to.starts_with("engine/")) return "engine may include engine/ only";
  const auto fromLevel = engineLevel(from), toLevel = engineLevel(to);
  if (!fromLevel || !toLevel) return "a folder that has no level in tests/tidy/include_rules.cpp";
  if (engineFolder(from) == engineFolder(to) || *toLevel < *fromLevel) return std::nullopt;
  return "includes go to lower levels only";
}

bool startsWithAny(const std::string& text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return text.starts_with(start); });
}

std::optional<std::string> includeFault(const SourceFile& file, const std::string& to) {
  if (!startsWithAny(to, {"engine/", "app/", "ui/", "tests/"})) return std::nullopt;
  if (file.path == precompiledSet) return std::nullopt;
  if (file.isUnder("engine/")) return engineIncludeFault(file.path, to);
  if (to.starts_with("engine/") && !startsWithAny(to, {"engine/base/", "engine/protocol/"}))
    return "app and ui share engine/base and engine/protocol only";
  if (file.isUnder("ui/") && !to.starts_with("tests/")) return std::nullopt;
  if (file.isUnder("app/") && startsWithAny(to, {"app/", "engine/"})) return std::nullopt;
  if (file.path == "app/main.cpp" && to.starts_with("ui/")) return std::nullopt;
  return "this goes upwards";
}

// Addresses alone (asio/ip/address.hpp, arpa/inet.h) are arithmetic, no sockets.
bool isSocketHeader(const std::string& path) {
  static const std::regex systemHeader(R"(^(sys/socket\.h|sys/un\.h|netinet/(in|tcp|ip)\.h|netdb\.h)$)");
  static const std::regex asioHeader(R"(^(asio/(ip/(tcp|udp)|local/.*|generic/.*)\.hpp|asio\.hpp)$)");
  static const std::regex qtHeader(R"(^(QTcpSocket|QUdpSocket|QLocalSocket|QTcpServer|QLocalServer|QNetwork\w+)$)");
  return std::regex_match(path, systemHeader) || std::regex_match(path, asioHeader) || std::regex_match(path, qtHeader);
}

std::optional<std::string> systemIncludeFault(const SourceFile& file, const std::string& header) {
  if (header == "sqlite3.h" && !file.isUnder("engine/metadata/")) return "sqlite3.h belongs to engine/metadata";
  const bool mayUseSockets = file.isUnder("engine/net/") || file.isUnder("engine/control/") || file.isUnder("app/quarryctl/") ||
                             file.isUnder("app/client/") || file.isUnder("app/hosts/");
  const bool isPrecompiled = file.path == precompiledSet;
  if (isSocketHeader(header) && !mayUseSockets && !isPrecompiled) return "sockets belong to engine/net, engine/control, app/client and app/quarryctl";
  static const std::regex qtHeader(R"(^(Qt[A-Z]\w*/.*|Q[A-Z]\w*)$)");
  if ((file.isUnder("engine/") || file.isUnder("app/quarryctl/")) && std::regex_match(header, qtHeader)) return "no Qt here";
  if (file.isUnder("app/") && file.path != "app/main.cpp" && startsWithAny(header, {"QtWidgets", "QtGui", "QtCharts", "QWidget", "QMessageBox"}))
    return "app has no pixels";
  return std::nullopt;
}

bool isProduct(const SourceFile& file) {
  return file.isCpp() && (file.isUnder("engine/") || file.isUnder("app/") || file.isUnder("ui/"));
}

template <class Fault>
Violations checkEachInclude(const SourceFile& file, Fault fault) {
  Violations violations;
  if (!isProduct(file)) return violations;
  for (const Include& include : file.includes)
    if (const auto text = fault(file, include.path))
      violations.push_back({.path = file.path, .line = include.line, .text = "may not include " + include.path + ": " + *text});
  return violations;
}
}  // namespace

Violations checkIncludeLevels(const SourceFile& file) { return checkEachInclude(file, includeFault); }
Violations checkSystemIncludes(const SourceFile& file) { return checkEachInclude(file, systemIncludeFault); }

bool isSqliteUser(const SourceFile& file) {
  return isProduct(file) && std::any_of(file.includes.begin(), file.includes.end(), [](const Include& i) { return i.path == "sqlite3.h"; });
}

}  // namespace quarry::tidy
