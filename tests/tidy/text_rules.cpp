// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <regex>

#include "tests/tidy/rules.h"

namespace quarry::tidy {

namespace {
constexpr size_t lineCharactersMax = 160;
const std::string licence = "SPDX-License-Identifier: GPL-3.0-or-later";

bool isScript(const SourceFile& file) { return file.path.ends_with(".sh") || file.path.ends_with(".py") || file.path == ".ci/run"; }
bool isCmake(const SourceFile& file) { return file.path.ends_with("CMakeLists.txt"); }

// UTF-8: continuation bytes are no characters of their own.
size_t characterCount(const std::string& line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

Violations checkCode(const SourceFile& file, const std::regex& pattern, const std::string& reason) {
  Violations violations;
  size_t number = 1;
  for (size_t start = 0; start < file.code.size(); ++number) {
    const size_t end = std::min(file.code.find('\n', start), file.code.size());
    const std::string line = file.code.substr(start, end - start);
    std::smatch match;
    if (std::regex_search(line, match, pattern)) violations.push_back({.path = file.path, .line = number, .text = match.str() + ": " + reason});
    start = end + 1;
  }
  return violations;
}

bool isProduct(const SourceFile& file) {
  return file.isCpp() && (file.isUnder("engine/") || file.isUnder("app/") || file.isUnder("ui/"));
}
}  // namespace

std::string Violation::message() const { return path + (line > 0 ? ":" + std::to_string(line) : "") + ": " + text; }

Violations checkLicenceLine(const SourceFile& file) {
  if (!file.isCpp() && !isScript(file) && !isCmake(file)) return {};
  const size_t number = isScript(file) ? 1 : 0;  // after the interpreter's line
  const std::string wanted = (file.isCpp() ? "// " : "# ") + licence;
  if (file.lines.size() > number && file.lines[number] == wanted) return {};
  return {{.path = file.path, .line = number + 1, .text = "this line must be: " + wanted}};
}

Violations checkHeaderComment(const SourceFile& file) {
  if (!file.isHeader()) return {};
  if (file.lines.size() > 1 && file.lines[1].starts_with("// ") && file.lines[1].size() > 20) return {};
  return {{.path = file.path, .line = 2, .text = "a header starts with a comment: what it is, threads, ownership, failure"}};
}

Violations checkLineLength(const SourceFile& file) {
  Violations violations;
  if (!file.isCpp() && !isScript(file) && !isCmake(file)) return violations;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const size_t count = characterCount(file.lines[i]);
    if (count > lineCharactersMax)
      violations.push_back({.path = file.path,
                            .line = i + 1,
                            .text = "line has " + std::to_string(count) + " characters, limit " + std::to_string(lineCharactersMax)});
  }
  return violations;
}

Violations checkSyncCalls(const SourceFile& file) {
  if (!isProduct(file) || file.isUnder("engine/os/")) return {};
  static const std::regex calls(R"(\b(fdatasync|fsync|syncfs|sync_file_range|RWF_\w+|io_uring_\w+)\b)");
  return checkCode(file, calls, "only engine/os talks to the disk");
}

Violations checkMutexes(const SourceFile& file) {
  if (!isProduct(file) || file.path == "engine/base/mutex.h") return {};
  static const std::regex mutexes(R"(\bstd::(recursive_|shared_|timed_|recursive_timed_)?mutex\b|\bQMutex\b)");
  return checkCode(file, mutexes, "use Mutex of engine/base/mutex.h, which the compiler checks");
}

Violations checkMessageBoxes(const SourceFile& file) {
  if (!file.isUnder("app/") || !file.isCpp()) return {};
  static const std::regex boxes(R"(\bQ(MessageBox|InputDialog|ErrorMessage)\b)");
  return checkCode(file, boxes, "app opens no windows; give the page an error to show");
}

Violations checkPaths(const SourceFile& file) {
  // Where the control socket of a machine without a runtime folder is.
  if (file.path.find("socket_path") != std::string::npos || file.path == "engine/protocol/README.md") return {};
  static const std::regex workplace(std::string("(^|[^\\w.$}*])/") + R"((work|root|home/\w+|shared)/)");
  static const std::regex temporary(std::string("(^|[^\\w.$}*])/") + R"(tmp/\w)");
  const bool mayUseTemporary = isScript(file) || file.isUnder("tests/");
  Violations violations;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    if (std::regex_search(file.lines[i], match, workplace) || (!mayUseTemporary && std::regex_search(file.lines[i], match, temporary)))
      violations.push_back({.path = file.path, .line = i + 1, .text = "path of one machine:" + match.str()});
  }
  return violations;
}

}  // namespace quarry::tidy
