// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/table.h"

#include <QTest>

using namespace quarry::ctl;

class TableTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void columnsLineUp() {
    Table table({{"NAME"}, {"SIZE", Table::Align::Right}, {"NOTE"}});
    table.add({"a", "1.0 KiB", ""});
    table.add({"größer", "512 B  ", "x"});
    QCOMPARE(table.text(), std::string("NAME       SIZE  NOTE\n"
                                       "a       1.0 KiB\n"
                                       "größer  512 B    x\n"));
  }

  void namesCannotDriveTheTerminal() {
    QCOMPARE(printable("a\x1b[31mb\nc\x7f"), std::string("a?[31mb?c?"));
    QCOMPARE(printable("\xc2\x9b" "31m"), std::string("?31m"));
    QCOMPARE(printable("größe µ"), std::string("größe µ"));
  }

  void fields() { QCOMPARE(fieldLines({{"a", "1"}, {"longer", ""}}), std::string("a       1\nlonger\n")); }
  void lists() {
    QCOMPARE(joined({"a", "b"}, "-"), std::string("a, b"));
    QCOMPARE(joined({}, "-"), std::string("-"));
  }
};

QTEST_GUILESS_MAIN(TableTest)
#include "table_test.moc"
