// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tidy/source_file.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace quarry::tidy {

namespace {
bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// Blanks comments and literals while walking over the text.
class Stripper {
 public:
  explicit Stripper(std::string_view text) : m_text(text), m_out(text) {}

  std::string run() {
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (startsWith("//")) blankUntil(m_text.find('\n', m_at));
      else if (startsWith("/*")) blankUntil(endAfter("*/", m_at + 2));
      else if (startsWith("R\"") && !isWordBefore()) blankUntil(rawStringEnd());
      else if (c == '"') blankUntil(quotedEnd('"'));
      else if (c == '\'' && !isWordBefore()) blankUntil(quotedEnd('\''));
      else ++m_at;
    }
    return std::move(m_out);
  }

 private:
  bool startsWith(std::string_view what) const { return m_text.substr(m_at, what.size()) == what; }
  bool isWordBefore() const { return m_at > 0 && isWordChar(m_text[m_at - 1]); }  // 1'000 is no literal

  size_t endAfter(std::string_view what, size_t from) const {
    const size_t found = m_text.find(what, from);
    return found == std::string_view::npos ? m_text.size() : found + what.size();
  }
  size_t rawStringEnd() const {
    const size_t open = m_text.find('(', m_at);
    if (open == std::string_view::npos) return m_text.size();
    const std::string close = ")" + std::string(m_text.substr(m_at + 2, open - m_at - 2)) + "\"";
    return endAfter(close, open);
  }
  size_t quotedEnd(char quote) const {
    size_t at = m_at + 1;
    while (at < m_text.size() && m_text[at] != quote && m_text[at] != '\n') at += m_text[at] == '\\' ? 2 : 1;
    return std::min(at + 1, m_text.size());
  }
  void blankUntil(size_t end) {
    end = std::min(end, m_text.size());
    for (; m_at < end; ++m_at)
      if (m_out[m_at] != '\n') m_out[m_at] = ' ';
  }

  std::string_view m_text;
  std::string m_out;
  size_t m_at = 0;
};

void blank(std::string& code, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i)
    if (code[i] != '\n') code[i] = ' ';
}

// Macros may hold unbalanced braces; labels and Q_OBJECT would look like the start of the next function.
void blankPreprocessorAndLabels(std::string& code) {
  bool continues = false;
  for (size_t start = 0; start < code.size();) {
    const size_t end = std::min(code.find('\n', start), code.size());
    const size_t first = code.find_first_not_of(" \t", start);
    const bool directive = continues || (first < end && code[first] == '#');
    continues = directive && end > start && code[end - 1] == '\\';
    if (directive) blank(code, start, end);
    start = end + 1;
  }
  static const std::regex labels(R"(\b((public|private|protected|Q_SIGNALS|signals)(\s+Q_SLOTS|\s+slots)?\s*:(?!:)|Q_(OBJECT|GADGET)\b|Q_[A-Z_]+\([^)\n]*\)))");
  for (std::sregex_iterator match(code.begin(), code.end(), labels), none; match != none; ++match)
    blank(code, static_cast<size_t>(match->position()), static_cast<size_t>(match->position() + match->length()));
}

// Finds function bodies: a '{' outside any function whose head (the code since the last ';', '{' or '}') is a declarator.
class FunctionFinder {
 public:
  explicit FunctionFinder(const std::string& code) : m_code(code) {}

  std::vector<Function> run() {
    for (m_at = 0; m_at < m_code.size(); ++m_at) {
      const char c = m_code[m_at];
      if (c == '{') openBrace();
      else if (c == '}' || c == ';') m_head = m_at + 1;
    }
    return std::move(m_functions);
  }

 private:
  enum class Brace { Scope, Body, Initializer };

  void openBrace() {
    const Brace brace = classify();
    if (brace == Brace::Scope) {
      m_head = m_at + 1;
      return;
    }
    const size_t end = matchingBrace();
    if (brace == Brace::Body) {
      const size_t first = lineOf(firstCode(m_head)), last = lineOf(end);
      m_functions.push_back({.line = first, .lineCount = last - first + 1});
      m_head = end + 1;
    }
    m_at = end;  // an initializer stays part of the head: the body of a constructor may follow
  }

  Brace classify() const {
    const std::string head = withoutTemplate(m_code.substr(m_head, m_at - m_head));
    if (isDeclarationOfScope(head)) return Brace::Scope;
    const std::string outer = outsideParentheses(head);
    if (outer.find('(') == std::string::npos) return isBlank(head) ? Brace::Scope : Brace::Initializer;
    const bool inConstructorList = hasConstructorList(outer);
    const char before = lastCode(head);
    if (inConstructorList) return isWordChar(before) || before == '>' ? Brace::Initializer : Brace::Body;
    if (assigns(outer)) return outer.find(']') != std::string::npos && before == ')' ? Brace::Body : Brace::Initializer;
    return Brace::Body;
  }

  static bool isBlank(const std::string& text) { return std::all_of(text.begin(), text.end(), isSpace); }

  static bool isDeclarationOfScope(const std::string& head) {
    static const std::regex keyword(R"(^\s*(inline\s+)?(namespace|class|struct|union|enum)\b)");
    static const std::regex function(R"(\)\s*((const|noexcept|override|final)\s*)*$)");  // `struct stat f() {` is a function
    static const std::regex linkage(R"(^\s*extern\s*$)");  // extern "C" {
    if (std::regex_search(head, linkage)) return true;
    return std::regex_search(head, keyword) && !std::regex_search(head, function);
  }

  // Without leading "template <…>".
  static std::string withoutTemplate(std::string head) {
    static const std::regex word(R"(^\s*template\s*<)");
    std::smatch match;
    while (std::regex_search(head, match, word)) {
      size_t at = static_cast<size_t>(match.length());
      for (int depth = 1; at < head.size() && depth > 0; ++at) depth += head[at] == '<' ? 1 : head[at] == '>' ? -1 : 0;
      head = head.substr(at);
    }
    return head;
  }

  // What stands inside parentheses and braces blanked, the outermost pairs themselves kept.
  static std::string outsideParentheses(const std::string& head) {
    std::string out = head;
    int depth = 0;
    for (char& c : out) {
      const bool closes = c == ')' || c == '}';
      if (closes) --depth;
      const bool opens = c == '(' || c == '{';
      if (depth > 0) c = ' ';
      if (opens) ++depth;
    }
    return out;
  }

  // `) : m_a(…)`, not `::`.
  static bool hasConstructorList(const std::string& outer) {
    static const std::regex list(R"(\)\s*(noexcept\s*)?:(?!:))");
    return std::regex_search(outer, list);
  }

  static bool assigns(const std::string& outer) {
    static const std::regex overloaded(R"(operator\s*(==|!=|<=>|<=|>=|[-+*/|&^%]?=))");
    const std::string rest = std::regex_replace(outer, overloaded, "operator");
    static const std::regex assignment(R"([^=!<>]=(?!=))");
    return std::regex_search(rest, assignment);
  }

  static char lastCode(const std::string& head) {
    const auto last = std::find_if_not(head.rbegin(), head.rend(), isSpace);
    return last == head.rend() ? ' ' : *last;
  }

  size_t matchingBrace() const {
    int depth = 0;
    for (size_t at = m_at; at < m_code.size(); ++at) {
      depth += m_code[at] == '{' ? 1 : m_code[at] == '}' ? -1 : 0;
      if (depth == 0) return at;
    }
    return m_code.size() - 1;
  }
  size_t firstCode(size_t from) const {
    while (from < m_code.size() && isSpace(m_code[from])) ++from;
    return from;
  }
  size_t lineOf(size_t at) const {
    return 1 + static_cast<size_t>(std::count(m_code.begin(), m_code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  const std::string& m_code;
  size_t m_at = 0;
  size_t m_head = 0;
  std::vector<Function> m_functions;
};

std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::vector<Include> findIncludes(const std::vector<std::string>& lines) {
  static const std::regex directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> includes;
  std::smatch match;
  for (size_t i = 0; i < lines.size(); ++i)
    if (std::regex_search(lines[i], match, directive)) includes.push_back({.line = i + 1, .path = match[1]});
  return includes;
}
}  // namespace

std::string stripped(std::string_view text) { return Stripper(text).run(); }

bool SourceFile::isHeader() const { return path.ends_with(".h"); }
bool SourceFile::isCpp() const { return isHeader() || path.ends_with(".cpp"); }
bool SourceFile::isUnder(std::string_view folder) const { return path.starts_with(folder); }

SourceFile readSource(std::string path, std::string text) {
  SourceFile file{.path = std::move(path), .text = std::move(text), .code = {}, .lines = {}, .includes = {}, .functions = {}};
  file.lines = splitLines(file.text);
  if (!file.isCpp()) return file;
  file.code = stripped(file.text);
  blankPreprocessorAndLabels(file.code);
  file.includes = findIncludes(file.lines);
  file.functions = FunctionFinder(file.code).run();
  return file;
}

}  // namespace quarry::tidy
