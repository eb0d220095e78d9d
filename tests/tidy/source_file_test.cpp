// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tidy/source_file.h"

#include <QtTest>

using namespace quarry::tidy;

namespace {
std::vector<size_t> functionLengths(const std::string& text) {
  std::vector<size_t> lengths;
  for (const Function& function : readSource("engine/base/sample.cpp", text).functions) lengths.push_back(function.lineCount);
  return lengths;
}
using Lengths = std::vector<size_t>;
}  // namespace

class SourceFileTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void blanksCommentsAndLiterals() {
    QCOMPARE(stripped("a // b\nc"), std::string("a     \nc"));
    QCOMPARE(stripped("a /* b\n*/ c"), std::string("a     \n   c"));
    QCOMPARE(stripped("f(\"}\\\"{\") ;"), std::string("f(      ) ;"));
    QCOMPARE(stripped("'{' 1'000"), std::string("    1'000"));
    QCOMPARE(stripped("R\"a({\")a\" x"), std::string("          x"));
    QCOMPARE(stripped("never closed \"abc"), std::string("never closed     "));
  }

  void measuresPlainFunctions() {
    QCOMPARE(functionLengths("int f() { return 1; }\n"), Lengths({1}));
    QCOMPARE(functionLengths("int f(\n  int a) {\n  if (a) { return 2; }\n  return 1;\n}\n"), Lengths({5}));
    QCOMPARE(functionLengths("namespace a {\nint f() {\n}\n\nint g() {\n\n}\n}\n"), Lengths({2, 3}));
    QCOMPARE(functionLengths("int f();\nint g();\n"), Lengths({}));
  }

  void measuresMembers() {
    QCOMPARE(functionLengths("class A {\n public:\n  int f() const {\n    return 1;\n  }\n};\n"), Lengths({3}));
    QCOMPARE(functionLengths("class A {\n  Q_OBJECT\n public:\n  A() {}\n};\n"), Lengths({1}));
    QCOMPARE(functionLengths("bool operator==(const A& a) const {\n}\n"), Lengths({2}));
    QCOMPARE(functionLengths("struct stat f(int a) {\n}\n"), Lengths({2}));
  }

  void measuresConstructorsWithLists() {
    QCOMPARE(functionLengths("A::A(int a)\n    : m_a(a), m_b{a} {\n  f();\n}\n"), Lengths({4}));
    QCOMPARE(functionLengths("A::A() : m_a({1, 2}) {}\n"), Lengths({1}));
    QCOMPARE(functionLengths("explicit A(Mutex& m) ACQUIRE(m) : m_mutex(m) { lock(); }\n"), Lengths({1}));
  }

  void skipsWhatIsNoFunction() {
    QCOMPARE(functionLengths("enum class A { B, C };\nint table[] = {\n 1, f(2)};\nstd::atomic<int> a{0};\n"), Lengths({}));
    QCOMPARE(functionLengths("const std::map<int, int> m = {\n  {f(1), 2},\n};\nint g() {\n}\n"), Lengths({2}));
    QCOMPARE(functionLengths("#define F(x) { \\\n  x {\nint g() {\n}\n"), Lengths({2}));
    QCOMPARE(functionLengths("Q_DECLARE_METATYPE(A)\nclass B {\n int m;\n\n};\n"), Lengths({}));
  }

  void measuresTemplatesAndLambdas() {
    QCOMPARE(functionLengths("template <class T>\nT f(T t) {\n}\n"), Lengths({3}));
    QCOMPARE(functionLengths("const auto f = [](int a) {\n  return a;\n};\n"), Lengths({3}));
    QCOMPARE(functionLengths("void f() {\n  g([] {\n  });\n}\n"), Lengths({4}));
    QCOMPARE(functionLengths("extern \"C\" int f(const char* a) {\n}\n"), Lengths({2}));
  }

  void findsIncludes() {
    const SourceFile file = readSource("engine/a.cpp", "#include \"engine/b.h\"\n// #include <c>\n#include <vector>\n");
    QCOMPARE(file.includes.size(), size_t{2});
    QCOMPARE(file.includes[0].path, std::string("engine/b.h"));
    QCOMPARE(file.includes[1].line, size_t{3});
  }
};

QTEST_GUILESS_MAIN(SourceFileTest)
#include "source_file_test.moc"
