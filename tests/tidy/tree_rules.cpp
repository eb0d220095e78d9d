// SPDX-License-Identifier: GPL-3.0-or-later
#include <regex>

#include "tests/tidy/rules.h"

namespace quarry::tidy {

namespace {
// Steps of a walk may name a path without the folder it shares with its neighbours.
bool exists(const std::string& path, const std::set<std::string>& existingPaths) {
  for (const char* root : {"", "engine/", "app/", "ui/"})
    if (existingPaths.contains(root + path)) return true;
  return false;
}

// Checks one line "- W3 `nfs/nfs3_program.cpp` …" of a walk.
void checkStep(const SourceFile& readme, size_t index, const std::set<std::string>& existingPaths, Violations& violations) {
  static const std::regex pathPattern(R"(`([\w/]+\.(?:cpp|h|sql))`)");
  const std::string& line = readme.lines[index];
  size_t pathCount = 0;
  for (std::sregex_iterator match(line.begin(), line.end(), pathPattern), none; match != none; ++match, ++pathCount)
    if (!exists((*match)[1], existingPaths))
      violations.push_back({.path = readme.path, .line = index + 1, .text = "no such file: " + (*match)[1].str()});
  if (pathCount == 0) violations.push_back({.path = readme.path, .line = index + 1, .text = "a step of a walk names no file"});
}
}  // namespace

Violations checkTestsAreListed(const std::vector<SourceFile>& files, const std::string& cmakeTexts) {
  Violations violations;
  for (const SourceFile& file : files) {
    if (!file.isUnder("tests/") || (!file.path.ends_with("_test.cpp") && !file.path.ends_with("_fuzz.cpp"))) continue;
    const size_t start = file.path.rfind('/') + 1;
    const std::string name = file.path.substr(start, file.path.size() - start - std::string(".cpp").size());
    const std::string inLoop = name.substr(0, name.rfind('_'));  // foreach(name a b) … ${name}_test
    const std::regex listed("(^|[\\s/(])" + name + "($|[\\s)])|foreach\\(name[^)]*\\s" + inLoop + "[\\s)]");
    if (!std::regex_search(cmakeTexts, listed))
      violations.push_back({.path = file.path, .line = 0, .text = "no CMakeLists.txt below tests/ names " + name + ": it never runs"});
  }
  return violations;
}

Violations checkWalks(const SourceFile& readme, const std::set<std::string>& existingPaths) {
  static const std::regex stepPattern(R"(^\s*[-|*]?\s*\**([WG])(\d+)\b)");
  Violations violations;
  size_t writeSteps = 0, gaugeSteps = 0;
  for (size_t i = 0; i < readme.lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(readme.lines[i], match, stepPattern)) continue;
    size_t& count = match[1] == "W" ? writeSteps : gaugeSteps;
    if (std::stoul(match[2]) != ++count)
      violations.push_back(
          {.path = readme.path, .line = i + 1, .text = "step " + match[1].str() + std::to_string(count) + " is missing before this one"});
    checkStep(readme, i, existingPaths, violations);
  }
  if (writeSteps < 5 || gaugeSteps < 5) violations.push_back({.path = readme.path, .line = 0, .text = "the walks W1… and G1… are missing"});
  return violations;
}

}  // namespace quarry::tidy
