// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/line_splitter.h"

#include <QTest>

using namespace quarry;

class LineSplitterTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void piecesMakeLines() {
    LineSplitter splitter(100);
    splitter.feed("on");
    QVERIFY(!splitter.next()->has_value());
    splitter.feed("e\ntwo\r\n\n\r\nthr");
    QCOMPARE(**splitter.next(), std::string("one"));
    QCOMPARE(**splitter.next(), std::string("two"));
    QVERIFY(!splitter.next()->has_value());
    splitter.feed("ee\n");
    QCOMPARE(**splitter.next(), std::string("three"));
    QVERIFY(!splitter.next()->has_value());
  }

  void byteByByte() {
    LineSplitter splitter(5);
    std::string seen;
    for (const char c : std::string("ab\ncde\nfghij\n")) {
      splitter.feed({&c, 1});
      for (auto line = splitter.next(); line && *line; line = splitter.next()) seen += **line + "|";
    }
    QCOMPARE(seen, std::string("ab|cde|fghij|"));
  }

  void tooLongIsFinal() {
    LineSplitter splitter(5);
    splitter.feed("ok\nabcdef");
    QCOMPARE(**splitter.next(), std::string("ok"));
    QVERIFY(splitter.next().error().code == ErrorCode::Protocol);
    splitter.feed("\nok\n");
    QVERIFY(!splitter.next().has_value());
  }

  void tooLongEvenWhenItsEndCame() {
    LineSplitter splitter(5);
    splitter.feed("abcdef\n");
    QVERIFY(!splitter.next().has_value());
  }
};

QTEST_GUILESS_MAIN(LineSplitterTest)
#include "line_splitter_test.moc"
