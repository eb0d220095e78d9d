// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule on a sample that keeps it and on one that breaks it.
#include "tests/tidy/rules.h"

#include <QtTest>

using namespace quarry::tidy;

namespace {
size_t broken(Violations (*rule)(const SourceFile&), const std::string& path, const std::string& text) {
  return rule(readSource(path, text)).size();
}
std::string include(const std::string& path) { return "#include \"" + path + "\"\n"; }
const std::string slash = "/";  // so that the rule about paths does not find its own samples
}  // namespace

class RulesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void includeLevels() {
    QCOMPARE(broken(checkIncludeLevels, "engine/nfs/a.cpp", include("engine/vstorage/b.h")), size_t{0});
    QCOMPARE(broken(checkIncludeLevels, "engine/vstorage/a.cpp", include("engine/nfs/b.h")), size_t{1});
    QCOMPARE(broken(checkIncludeLevels, "engine/landing/a.cpp", include("engine/metadata/b.h")), size_t{1});
    QCOMPARE(broken(checkIncludeLevels, "engine/os/a.cpp", include("engine/os/b.h")), size_t{0});
    QCOMPARE(broken(checkIncludeLevels, "engine/os/a.cpp", include("app/client/b.h")), size_t{1});
    QCOMPARE(broken(checkIncludeLevels, "engine/new/a.cpp", include("engine/os/b.h")), size_t{1});
    QCOMPARE(broken(checkIncludeLevels, "engine/base/a.cpp", include("engine/engine.h")), size_t{1});
    QCOMPARE(broken(checkIncludeLevels, "engine/main.cpp", include("engine/control/b.h")), size_t{0});
  }

  void consoleSharesTwoFolders() {
    QCOMPARE(broken(checkIncludeLevels, "ui/pages/a.cpp", include("engine/protocol/messages.h") + include("app/models/b.h")), size_t{0});
    QCOMPARE(broken(checkIncludeLevels, "ui/pages/a.cpp", include("engine/blockstore/b.h")), size_t{1});
    QCOMPARE(broken(checkIncludeLevels, "app/models/a.cpp", include("ui/pages/b.h")), size_t{1});
    QCOMPARE(broken(checkIncludeLevels, "app/main.cpp", include("ui/main_window.h")), size_t{0});
    QCOMPARE(broken(checkIncludeLevels, "app/models/a.cpp", include("tests/support/b.h")), size_t{1});
  }

  void systemIncludes() {
    QCOMPARE(broken(checkSystemIncludes, "engine/metadata/database.cpp", "#include <sqlite3.h>\n"), size_t{0});
    QCOMPARE(broken(checkSystemIncludes, "engine/stats/a.cpp", "#include <sqlite3.h>\n"), size_t{1});
    QCOMPARE(broken(checkSystemIncludes, "engine/net/a.cpp", "#include <asio/ip/tcp.hpp>\n"), size_t{0});
    QCOMPARE(broken(checkSystemIncludes, "engine/nfs/a.cpp", "#include <sys/socket.h>\n#include <asio/ip/tcp.hpp>\n"), size_t{2});
    QCOMPARE(broken(checkSystemIncludes, "ui/pages/a.cpp", "#include <QLocalSocket>\n"), size_t{1});
    QCOMPARE(broken(checkSystemIncludes, "engine/nfs/a.cpp", "#include <QString>\n"), size_t{1});
    QCOMPARE(broken(checkSystemIncludes, "app/models/a.cpp", "#include <QWidget>\n"), size_t{1});
    QVERIFY(isSqliteUser(readSource("engine/metadata/a.cpp", "#include <sqlite3.h>\n")));
  }

  void licenceLine() {
    const std::string line = "SPDX-License-Identifier: GPL-3.0-or-later\n";
    QCOMPARE(broken(checkLicenceLine, "engine/a.cpp", "// " + line), size_t{0});
    QCOMPARE(broken(checkLicenceLine, "engine/a.cpp", "\n// " + line), size_t{1});
    QCOMPARE(broken(checkLicenceLine, "tests/CMakeLists.txt", "# " + line), size_t{0});
    QCOMPARE(broken(checkLicenceLine, "tests/run.sh", "#!/bin/bash\n# " + line), size_t{0});
    QCOMPARE(broken(checkLicenceLine, "tests/run.sh", "#!/bin/bash\n"), size_t{1});
  }

  void headerComment() {
    QCOMPARE(broken(checkHeaderComment, "engine/a.h", "// SPDX\n// What it is, for whom, how it fails.\n#pragma once\n"), size_t{0});
    QCOMPARE(broken(checkHeaderComment, "engine/a.h", "// SPDX\n#pragma once\n"), size_t{1});
  }

  void lineLength() {
    QCOMPARE(broken(checkLineLength, "engine/a.cpp", std::string(160, 'x') + "\n"), size_t{0});
    QCOMPARE(broken(checkLineLength, "engine/a.cpp", std::string(161, 'x') + "\n"), size_t{1});
    std::string arrows;
    for (int i = 0; i < 160; ++i) arrows += "→";
    QCOMPARE(broken(checkLineLength, "engine/a.cpp", arrows), size_t{0});
  }

  void syncCalls() {
    QCOMPARE(broken(checkSyncCalls, "engine/os/a.cpp", "void f() { fdatasync(1); }\n"), size_t{0});
    QCOMPARE(broken(checkSyncCalls, "engine/landing/a.cpp", "void f() { fdatasync(1); }\n"), size_t{1});
    QCOMPARE(broken(checkSyncCalls, "engine/landing/a.cpp", "// fsync is done elsewhere\n"), size_t{0});
    QCOMPARE(broken(checkSyncCalls, "engine/net/a.cpp", "int flags = RWF_DSYNC;\nio_uring_submit(r);\n"), size_t{2});
  }

  void mutexes() {
    QCOMPARE(broken(checkMutexes, "engine/base/mutex.h", "std::mutex m_mutex;\n"), size_t{0});
    QCOMPARE(broken(checkMutexes, "engine/os/a.h", "std::mutex m_mutex;\n"), size_t{1});
    QCOMPARE(broken(checkMutexes, "app/a.h", "std::shared_mutex m_mutex;\n"), size_t{1});
  }

  void messageBoxes() {
    QCOMPARE(broken(checkMessageBoxes, "app/operations/a.cpp", "QMessageBox::warning();\n"), size_t{1});
    QCOMPARE(broken(checkMessageBoxes, "ui/dialogs/a.cpp", "QMessageBox::warning();\n"), size_t{0});
  }

  void paths() {
    QCOMPARE(broken(checkPaths, "README.md", "see " + slash + "work/main/a\n"), size_t{1});
    QCOMPARE(broken(checkPaths, "README.md", "engine" + slash + "work/main\n"), size_t{0});
    QCOMPARE(broken(checkPaths, "engine/a.cpp", "open(\"" + slash + "tmp/a\");\n"), size_t{1});
    QCOMPARE(broken(checkPaths, "tests/run.sh", "d=" + slash + "tmp/a\n"), size_t{0});
    QCOMPARE(broken(checkPaths, "tests/run.sh", "d=" + slash + "root/a\n"), size_t{1});
  }

  void functionLength() {
    const std::string body69(69, '\n');
    QCOMPARE(broken(checkFunctionLength, "engine/a.cpp", "void f() {" + body69 + "}\n"), size_t{0});
    QCOMPARE(broken(checkFunctionLength, "engine/a.cpp", "void f() {" + body69 + "\n}\n"), size_t{1});
  }

  void fileLength() {
    QCOMPARE(broken(checkFileLength, "ui/a.cpp", std::string(460, '\n')), size_t{0});
    QCOMPARE(broken(checkFileLength, "ui/a.cpp", std::string(461, '\n')), size_t{1});
  }

  void typicalSizes() {
    std::string text;
    for (int i = 0; i < 8; ++i) text += "void f() {}\n";
    for (int i = 0; i < 3; ++i) text += "void g() {" + std::string(45, '\n') + "}\n";
    QCOMPARE(checkTypicalSizes({readSource("engine/a.cpp", text)}).size(), size_t{1});
    QCOMPARE(checkTypicalSizes({readSource("engine/a.cpp", "void f() {}\n")}).size(), size_t{0});
  }

  void testsAreListed() {
    const std::vector<SourceFile> files = {readSource("tests/engine/os/a_test.cpp", ""), readSource("tests/fuzz/b_fuzz.cpp", "")};
    QCOMPARE(checkTestsAreListed(files, "quarry_test(engine/os/a_test LINK x)\nquarry_fuzz(b_fuzz)\n").size(), size_t{0});
    QCOMPARE(checkTestsAreListed(files, "foreach(name x a)\n  quarry_test(engine/os/${name}_test)\nquarry_fuzz(b_fuzz)\n").size(), size_t{0});
    QCOMPARE(checkTestsAreListed(files, "quarry_test(engine/os/aa_test)\nquarry_fuzz(b_fuzz_old)\n").size(), size_t{2});
  }

  void walks() {
    std::string text;
    for (const char* kind : {"W", "G"})
      for (int i = 1; i <= 5; ++i) text += "- " + std::string(kind) + std::to_string(i) + " `net/connection.cpp` reads\n";
    const std::set<std::string> paths = {"engine/net/connection.cpp"};
    QCOMPARE(checkWalks(readSource("README.md", text), paths).size(), size_t{0});
    QCOMPARE(checkWalks(readSource("README.md", text), {}).size(), size_t{10});
    QCOMPARE(checkWalks(readSource("README.md", text + "- W7 `net/connection.cpp`\n"), paths).size(), size_t{1});
    QCOMPARE(checkWalks(readSource("README.md", text + "- W6 nothing\n"), paths).size(), size_t{1});
    QCOMPARE(checkWalks(readSource("README.md", "no walks\n"), paths).size(), size_t{1});
  }
};

QTEST_GUILESS_MAIN(RulesTest)
#include "rules_test.moc"
