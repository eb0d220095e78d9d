// SPDX-License-Identifier: GPL-3.0-or-later
// The house rules over the whole source tree: every broken one is printed with file and line.
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/tidy/rules.h"

namespace fs = std::filesystem;
using namespace quarry::tidy;

namespace {
const fs::path sourceRoot = QUARRY_SOURCE_DIR;

std::string readText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// What people read and write: code, build files, scripts, pages. Build folders and version control are not the project's text.
bool isOurs(const fs::path& relative) {
  static const std::set<std::string> skippedFolders = {"build", ".git", ".cache"};
  static const std::set<std::string> kinds = {".h", ".cpp", ".txt", ".md", ".sh", ".py", ".json", ".sql", ".ui", ".in", ".service"};
  return !skippedFolders.contains(relative.begin()->string()) && (kinds.contains(relative.extension().string()) || relative == ".ci/run");
}

std::vector<SourceFile> readTree() {
  std::vector<SourceFile> files;
  for (auto entry = fs::recursive_directory_iterator(sourceRoot); entry != fs::recursive_directory_iterator(); ++entry) {
    const fs::path relative = fs::relative(entry->path(), sourceRoot);
    if (entry->is_directory() && entry.depth() == 0 && (relative == "build" || relative == ".git" || relative == ".cache"))
      entry.disable_recursion_pending();
    if (entry->is_regular_file() && isOurs(relative)) files.push_back(readSource(relative.generic_string(), readText(entry->path())));
  }
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}
}  // namespace

class TidyTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    m_files = readTree();
    QVERIFY2(m_files.size() > 50, "the source tree was not found");
  }

  void includesGoDownwards() { checkEach(checkIncludeLevels); }
  void systemHeadersWhereTheyBelong() { checkEach(checkSystemIncludes); }
  void oneFileKnowsSqlite() {
    const auto count = std::count_if(m_files.begin(), m_files.end(), isSqliteUser);
    QVERIFY2(count <= 1, "more than one file includes sqlite3.h");
  }
  void everyFileHasItsLicence() { checkEach(checkLicenceLine); }
  void everyHeaderIsIntroduced() { checkEach(checkHeaderComment); }
  void linesFit() { checkEach(checkLineLength); }
  void oneDoorToTheDisk() { checkEach(checkSyncCalls); }
  void mutexesAreAnnotated() { checkEach(checkMutexes); }
  void appOpensNoWindows() { checkEach(checkMessageBoxes); }
  void noPathsOfOneMachine() { checkEach(checkPaths); }
  void functionsFitAScreen() { checkEach(checkFunctionLength); }
  void filesAreShort() { checkEach(checkFileLength); }
  void mostFunctionsAreShort() { report(checkTypicalSizes(m_files)); }

  void everyTestIsBuilt() {
    std::string cmakeTexts;
    for (const SourceFile& file : m_files)
      if (file.isUnder("tests/") && file.path.ends_with("CMakeLists.txt")) cmakeTexts += file.text;
    report(checkTestsAreListed(m_files, cmakeTexts));
  }

  void walksOfReadmeExist() {
    std::set<std::string> paths;
    for (const SourceFile& file : m_files) paths.insert(file.path);
    const auto readme = std::find_if(m_files.begin(), m_files.end(), [](const SourceFile& file) { return file.path == "README.md"; });
    QVERIFY(readme != m_files.end());
    report(checkWalks(*readme, paths));
  }

 private:
  void checkEach(Violations (*rule)(const SourceFile&)) {
    Violations all;
    for (const SourceFile& file : m_files) {
      const Violations found = rule(file);
      all.insert(all.end(), found.begin(), found.end());
    }
    report(all);
  }

  static void report(const Violations& violations) {
    for (const Violation& violation : violations) qWarning("%s", violation.message().c_str());
    QCOMPARE(violations.size(), size_t{0});
  }

  std::vector<SourceFile> m_files;
};

QTEST_GUILESS_MAIN(TidyTest)
#include "tidy_test.moc"
