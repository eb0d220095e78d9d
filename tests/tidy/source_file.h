// SPDX-License-Identifier: GPL-3.0-or-later
// One file of the source tree as the house rules see it: its lines, its code without comments and literals, its includes and its functions.
// The scanner follows braces and knows just enough C++ for that; it does not parse. Plain values; safe from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quarry::tidy {

struct Include {
  size_t line = 0;    // from 1
  std::string path;   // without quotes or brackets
};

struct Function {
  size_t line = 0;    // where its declarator starts, from 1
  size_t lineCount = 0;
};

struct SourceFile {
  std::string path;   // from the project root, with '/'
  std::string text;
  std::string code;   // the same length and lines; comments, literals and preprocessor lines are spaces
  std::vector<std::string> lines;
  std::vector<Include> includes;
  std::vector<Function> functions;  // with a body, lambdas inside bodies not counted

  bool isHeader() const;
  bool isCpp() const;  // .h or .cpp
  bool isUnder(std::string_view folder) const;  // "engine/os/"
};

SourceFile readSource(std::string path, std::string text);

// The code with comments, string and character literals blanked out, line by line.
std::string stripped(std::string_view text);

}  // namespace quarry::tidy
