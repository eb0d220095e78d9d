// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/formatter.h"

#include <QLocale>
#include <QtTest>
#include <limits>

using namespace quarry;
using protocol::Unit;

class FormatterTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

  void text_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("unit");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, double value, Unit unit, const char* text) {
      QTest::newRow(name) << value << static_cast<int>(unit) << QString::fromUtf8(text);
    };
    row("no bytes", 0, Unit::Bytes, "0 B");
    row("bytes", 512, Unit::Bytes, "512 B");
    row("bytes are whole", 12.7, Unit::Bytes, "13 B");
    row("one KiB", 1024, Unit::Bytes, "1 KiB");
    row("four figures go one unit up", 1000.0 * 1024, Unit::Bytes, "0.977 MiB");
    row("rounding goes one unit up", 999.6 * 1024, Unit::Bytes, "0.976 MiB");
    row("GiB", 1.5 * (1ull << 30), Unit::Bytes, "1.5 GiB");
    row("TiB", 12.34 * 1099511627776.0, Unit::Bytes, "12.3 TiB");
    row("beyond PiB", 5000.0 * 1125899906842624.0, Unit::Bytes, "5,000 PiB");
    row("rate", 123.0 * (1 << 20), Unit::BytesPerSecond, "123 MiB/s");
    row("per second", 397.4, Unit::PerSecond, "397/s");
    row("many per second", 12345, Unit::PerSecond, "12,300/s");
    row("few per second", 0.04231, Unit::PerSecond, "0.0423/s");
    row("count is exact", 1234567, Unit::Count, "1,234,567");
    row("latency", 420, Unit::Microseconds, "0.42 ms");
    row("short latency", 7, Unit::Microseconds, "0.007 ms");
    row("long latency", 2'500'000, Unit::Microseconds, "2.5 s");
    row("ratio", 0.7432, Unit::Ratio, "74.3 %");
    row("whole ratio", 1, Unit::Ratio, "100 %");
    row("seconds", 245, Unit::Seconds, "4 min");
    row("unknown", std::numeric_limits<double>::quiet_NaN(), Unit::Bytes, "–");
    row("negative", -1.5, Unit::Count, "-1.5");
  }
  void text() {
    QFETCH(double, value);
    QFETCH(int, unit);
    QTEST(formatter::text(value, static_cast<Unit>(unit)), "text");
  }

  void figureIsSplit() {
    const formatter::Figure figure = formatter::figure(1.23 * (1 << 20), Unit::BytesPerSecond);
    QCOMPARE(figure.number, QStringLiteral("1.23"));
    QCOMPARE(figure.unit, QStringLiteral("MiB/s"));
    QVERIFY(formatter::figure(3, Unit::Count).unit.isEmpty());
  }

  void durations() {
    QCOMPARE(formatter::duration(0), QStringLiteral("0 s"));
    QCOMPARE(formatter::duration(59), QStringLiteral("59 s"));
    QCOMPARE(formatter::duration(245), QStringLiteral("4 min"));
    QCOMPARE(formatter::duration(3600), QStringLiteral("1 h"));
    QCOMPARE(formatter::duration(7500), QStringLiteral("2 h 5 min"));
    QCOMPARE(formatter::duration(3 * 86400 + 4 * 3600 + 50), QStringLiteral("3 d 4 h"));
  }

  void ages() {
    const QDateTime now = QDateTime::fromString(QStringLiteral("2026-11-30T12:00:00Z"), Qt::ISODate);
    QCOMPARE(formatter::age({}, now), QStringLiteral("never"));
    QCOMPARE(formatter::age(QStringLiteral("rubbish"), now), QStringLiteral("–"));
    QCOMPARE(formatter::age(QStringLiteral("2026-11-30T11:59:58Z"), now), QStringLiteral("just now"));
    QCOMPARE(formatter::age(QStringLiteral("2026-11-30T12:00:30Z"), now), QStringLiteral("just now"));
    QCOMPARE(formatter::age(QStringLiteral("2026-11-30T11:59:20Z"), now), QStringLiteral("40 s ago"));
    QCOMPARE(formatter::age(QStringLiteral("2026-11-30T11:57:00Z"), now), QStringLiteral("3 min ago"));
    QCOMPARE(formatter::age(QStringLiteral("2026-11-30T07:00:00Z"), now), QStringLiteral("5 h ago"));
    QCOMPARE(formatter::age(QStringLiteral("2026-11-20T12:00:00Z"), now), QStringLiteral("10 d ago"));
    QVERIFY(!formatter::age(QStringLiteral("2025-01-01T12:00:00Z"), now).contains(QStringLiteral("ago")));
  }

  void factor() { QCOMPARE(formatter::factor(4.123), QStringLiteral("4.12 ×")); }

  void followsTheLocale() {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(formatter::text(1.5 * (1 << 30), Unit::Bytes), QStringLiteral("1,5 GiB"));
    QCOMPARE(formatter::count(1234567), QStringLiteral("1.234.567"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }
};

QTEST_GUILESS_MAIN(FormatterTest)
#include "formatter_test.moc"
