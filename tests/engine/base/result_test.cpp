// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/result.h"

#include <QTest>
#include <set>

using namespace quarry;

class ResultTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyCodeHasItsOwnNameAndComesBack() {
    std::set<std::string_view> seen;
    for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i) {
      const auto code = static_cast<ErrorCode>(i);
      QVERIFY(seen.insert(name(code)).second);
      QCOMPARE(errorCodeFromName(name(code)), code);
    }
    QCOMPARE(errorCodeFromName("no such name"), ErrorCode::Internal);
  }

  void failKeepsCodeAndMessage() {
    const Result<int> result = fail(ErrorCode::NoSpace, "disk full");
    QVERIFY(!result);
    QCOMPARE(result.error(), (Error{ErrorCode::NoSpace, "disk full"}));
  }
};

QTEST_GUILESS_MAIN(ResultTest)
#include "result_test.moc"
