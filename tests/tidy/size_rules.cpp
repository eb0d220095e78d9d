// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "tests/tidy/rules.h"

namespace quarry::tidy {

namespace {
constexpr size_t functionLinesMax = 70;
constexpr size_t functionLinesTypicalMax = 40;  // 90th percentile
constexpr size_t fileLinesMax = 460;

// Path → why it may be longer.
const std::map<std::string, std::string> longFiles = {};

bool isMeasured(const SourceFile& file) {
  return file.isCpp() && (file.isUnder("engine/") || file.isUnder("app/") || file.isUnder("ui/"));
}
}  // namespace

Violations checkFunctionLength(const SourceFile& file) {
  Violations violations;
  if (!isMeasured(file)) return violations;
  for (const Function& function : file.functions)
    if (function.lineCount > functionLinesMax)
      violations.push_back({.path = file.path,
                            .line = function.line,
                            .text = "function is " + std::to_string(function.lineCount) + " lines, limit " + std::to_string(functionLinesMax)});
  return violations;
}

Violations checkFileLength(const SourceFile& file) {
  if (!isMeasured(file) || file.lines.size() <= fileLinesMax || longFiles.contains(file.path)) return {};
  return {{.path = file.path,
           .line = 0,
           .text = "file is " + std::to_string(file.lines.size()) + " lines, limit " + std::to_string(fileLinesMax)}};
}

Violations checkTypicalSizes(const std::vector<SourceFile>& files) {
  std::vector<size_t> counts;
  for (const SourceFile& file : files)
    if (isMeasured(file))
      for (const Function& function : file.functions) counts.push_back(function.lineCount);
  if (counts.empty()) return {};
  std::sort(counts.begin(), counts.end());
  const size_t typical = counts[(counts.size() - 1) * 9 / 10];
  if (typical <= functionLinesTypicalMax) return {};
  return {{.path = "engine, app, ui",
           .line = 0,
           .text = "one function in ten is " + std::to_string(typical) + " lines or more, limit " + std::to_string(functionLinesTypicalMax)}};
}

}  // namespace quarry::tidy
