// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/iso_time.h"

#include <QTest>

using namespace quarry;

class IsoTimeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void roundTrip() {
    const Timestamp time{1'796'066'524'000'000'000};
    QCOMPARE(isoTime(time), std::string("2026-11-30T19:22:04Z"));
    QVERIFY(parseIsoTime("2026-11-30T19:22:04Z") == time);
  }
  void beforeTheEpochRoundsDown() { QCOMPARE(isoTime({-1}), std::string("1969-12-31T23:59:59Z")); }
  void refusesOtherForms() {
    for (const auto* text : {"", "2026-11-30", "2026-11-30T19:22:04", "2026-11-30T19:22:04Zx", "yesterday"}) QVERIFY(!parseIsoTime(text));
  }
};

QTEST_GUILESS_MAIN(IsoTimeTest)
#include "iso_time_test.moc"
