// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/names.h"

#include <QTest>

using namespace quarry::protocol;

class NamesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyNameLeadsBack() {
    checkAll<StoreState>(2);
    checkAll<WriteMode>(3);
    checkAll<Squash>(3);
    checkAll<JobType>(5);
    checkAll<JobState>(6);
    checkAll<Severity>(3);
    checkAll<Unit>(7);
  }

  void unknownNamesHaveNoValue() {
    QVERIFY(!enumFromName<WriteMode>("Safe").has_value());
    QVERIFY(!enumFromName<WriteMode>("").has_value());
    QCOMPARE(unitFromName("furlongs"), Unit::Count);
  }

  void listsForMessages() { QCOMPARE(enumNames<WriteMode>(), std::string("safe, through, ram")); }

 private:
  template <class Enum>
  void checkAll(int count) {
    int seen = 0;
    for (; !name(static_cast<Enum>(seen)).empty(); ++seen) QCOMPARE(enumFromName<Enum>(name(static_cast<Enum>(seen))), static_cast<Enum>(seen));
    QCOMPARE(seen, count);
  }
};

QTEST_GUILESS_MAIN(NamesTest)
#include "names_test.moc"
