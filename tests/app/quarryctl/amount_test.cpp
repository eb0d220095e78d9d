// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/amount.h"

#include <QTest>
#include <limits>

using namespace quarry;
using namespace quarry::ctl;

class AmountTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sizes() {
    QCOMPARE(parseSize("0").value(), uint64_t{0});
    QCOMPARE(parseSize("4096").value(), uint64_t{4096});
    QCOMPARE(parseSize("512MiB").value(), uint64_t{512} << 20);
    QCOMPARE(parseSize("4g").value(), uint64_t{4} << 30);
    QCOMPARE(parseSize("2 TiB").value(), uint64_t{2} << 40);
    QCOMPARE(parseSize("7K").value(), uint64_t{7168});
    QCOMPARE(parseSize("16383p").value(), uint64_t{16383} << 50);
    QCOMPARE(parseSize("18446744073709551615").value(), std::numeric_limits<uint64_t>::max());
  }

  void wrongSizes() {
    for (const char* text : {"", "g", "-1", "+1", "1.5g", "4gb", "4MB", "4x", "4gi", "4 g x", "16384p", "18446744073709551616", " 4", "4kibs"}) {
      const auto size = parseSize(text);
      QVERIFY2(!size && size.error().code == ErrorCode::InvalidArgument, text);
      QVERIFY2(size.error().message.find(text) != std::string::npos, text);
    }
    QVERIFY(parseSize("4MB").error().message.find("MiB") != std::string::npos);
  }

  void ages() {
    QCOMPARE(parseAge("0").value(), uint64_t{0});
    QCOMPARE(parseAge("90s").value(), uint64_t{90});
    QCOMPARE(parseAge("15m").value(), uint64_t{900});
    QCOMPARE(parseAge("15min").value(), uint64_t{900});
    QCOMPARE(parseAge("2h").value(), uint64_t{7200});
    QCOMPARE(parseAge("7d").value(), uint64_t{604800});
    QCOMPARE(parseAge("1W").value(), uint64_t{604800});
  }

  void wrongAges() {
    for (const char* text : {"", "90", "h", "1.5h", "-2h", "2y", "2hours", "18446744073709551615d"}) QVERIFY2(!parseAge(text), text);
    QVERIFY(parseAge("90").error().message.find("unit") != std::string::npos);
  }

  void sizeTexts() {
    QCOMPARE(sizeText(0), std::string("0 B  "));
    QCOMPARE(sizeText(1023), std::string("1023 B  "));
    QCOMPARE(sizeText(1024), std::string("1.0 KiB"));
    QCOMPARE(sizeText((uint64_t{1} << 20) - 1), std::string("1.0 MiB"));
    QCOMPARE(sizeText(uint64_t{123} << 29), std::string("61.5 GiB"));
    QCOMPARE(sizeText(std::numeric_limits<uint64_t>::max()), std::string("16384.0 PiB"));
  }

  void otherTexts() {
    QCOMPARE(rateText(210.0 * 1024 * 1024), std::string("210.0 MiB/s"));
    QCOMPARE(rateText(5), std::string("5 B/s  "));
    QCOMPARE(rateText(std::numeric_limits<double>::quiet_NaN()), std::string("-"));
    QCOMPARE(ageText(45), std::string("45 s"));
    QCOMPARE(ageText(60), std::string("1 min"));
    QCOMPARE(ageText(3725), std::string("1 h 2 min"));
    QCOMPARE(ageText(273'600), std::string("3 d 4 h"));
    QCOMPARE(percentText(0.743), std::string("74.3 %"));
    QCOMPARE(countText(400), std::string("400"));
    QCOMPARE(countText(12.52), std::string("12.5"));
    QCOMPARE(microsecondsText(250), std::string("250 µs"));
    QCOMPARE(microsecondsText(12'100), std::string("12.1 ms"));
  }
};

QTEST_GUILESS_MAIN(AmountTest)
#include "amount_test.moc"
