// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/iso_time.h"

#include <QTest>

using namespace quarry;

class IsoTimeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void knownMoments() {
    QCOMPARE(isoTime({0}), std::string("1970-01-01T00:00:00Z"));
    QCOMPARE(isoTime({1'582'934'400'999'999'999}), std::string("2020-02-29T00:00:00Z"));
    QCOMPARE(isoTime({-1}), std::string("1969-12-31T23:59:59Z"));
  }

  void textLeadsBack() {
    for (const int64_t seconds : {0L, 951'827'696L, 1'796'066'524L, 4'102'444'799L}) {
      const Timestamp time{seconds * 1'000'000'000};
      QCOMPARE(parseIsoTime(isoTime(time))->unixNs, time.unixNs);
    }
  }

  void otherFormsAreRefused() {
    for (const char* text : {"", "2026-11-30", "2026-11-30 19:22:04Z", "2026-11-30T19:22:04", "2026-02-30T19:22:04Z", "2026-11-30T24:00:00Z",
                             "2026-11-30T19:22:04+", "2O26-11-30T19:22:04Z", "9999-11-30T19:22:04Z"})
      QVERIFY2(!parseIsoTime(text).has_value(), text);
  }
};

QTEST_GUILESS_MAIN(IsoTimeTest)
#include "iso_time_test.moc"
