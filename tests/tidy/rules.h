// SPDX-License-Identifier: GPL-3.0-or-later
// The house rules. Each takes files as values and returns what breaks it, so that a test can feed it a bad sample. Exceptions stand in
// the rule's own file, each with its reason. Stateless; safe from any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/tidy/source_file.h"

namespace quarry::tidy {

struct Violation {
  std::string path;
  size_t line = 0;  // 0: the whole file
  std::string text;

  std::string message() const;  // "engine/nfs/nfs3_write.cpp:41: function is 74 lines, limit 70"
};
using Violations = std::vector<Violation>;

// include_rules.cpp: who may include whom.
Violations checkIncludeLevels(const SourceFile& file);   // engine folders form levels; app and ui see base and protocol only
Violations checkSystemIncludes(const SourceFile& file);  // sqlite3.h, sockets, Qt: each only where it belongs
bool isSqliteUser(const SourceFile& file);               // the tree may hold one

// text_rules.cpp: what must or must not stand in a file.
Violations checkLicenceLine(const SourceFile& file);
Violations checkHeaderComment(const SourceFile& file);
Violations checkLineLength(const SourceFile& file);
Violations checkSyncCalls(const SourceFile& file);       // fdatasync, fsync, RWF_…, io_uring only in engine/os
Violations checkMutexes(const SourceFile& file);         // std::mutex only inside base/mutex.h
Violations checkMessageBoxes(const SourceFile& file);    // none in app/
Violations checkPaths(const SourceFile& file);           // no absolute paths of the machine it was written on

// size_rules.cpp
Violations checkFunctionLength(const SourceFile& file);
Violations checkFileLength(const SourceFile& file);
Violations checkTypicalSizes(const std::vector<SourceFile>& files);  // 90th percentile of functions

// tree_rules.cpp: files against each other.
// `cmakeTexts`: all CMakeLists.txt below tests/, joined.
Violations checkTestsAreListed(const std::vector<SourceFile>& files, const std::string& cmakeTexts);
// Every numbered step of README's two walks names files that exist, and the numbers go up by one.
Violations checkWalks(const SourceFile& readme, const std::set<std::string>& existingPaths);

}  // namespace quarry::tidy
