// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/warning_limit.h"

#include <QTest>
#include <string>

using quarry::net::WarningLimit;

class WarningLimitTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oneLineAMinuteOfEachKey() {
    WarningLimit limit;
    const auto start = std::chrono::steady_clock::now();
    QVERIFY(limit.allows("a", start));
    QVERIFY(!limit.allows("a", start + std::chrono::seconds(59)));
    QVERIFY(limit.allows("b", start));
    QVERIFY(limit.allows("a", start + std::chrono::seconds(60)));
  }
  void keysAreBounded() {
    WarningLimit limit;
    const auto start = std::chrono::steady_clock::now();
    size_t written = 0;
    for (int i = 0; i < 1000; ++i) written += limit.allows(std::to_string(i), start);
    QCOMPARE(written, WarningLimit::keysMax);
    QVERIFY(limit.allows("later", start + WarningLimit::interval));
  }
};

QTEST_GUILESS_MAIN(WarningLimitTest)
#include "warning_limit_test.moc"
