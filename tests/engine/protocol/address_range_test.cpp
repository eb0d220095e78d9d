// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/address_range.h"

#include <QtTest>
#include <string>

namespace quarry::protocol {

class AddressRangeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aHostInARangeIsNamedWithBothRemedies() {
    const auto range = parseAddressRange("192.168.1.5/24");
    QVERIFY(!range);
    QCOMPARE(QString::fromStdString(range.error().message),
             QStringLiteral("\"192.168.1.5/24\" names a host: write 192.168.1.0/24 for the range or 192.168.1.5 for the host"));
    QVERIFY(parseAddressRange("2001:db8::1/32").error().message.find("2001:db8::/32") != std::string::npos);
  }

  void shortFormsMasksAndScopesAreNoAddresses() {
    for (const char* entry : {"192.168.1/24", "10.0.0.0/255.0.0.0", "fe80::1%eth0", "10.0.0.0/08", "esx1"}) QVERIFY2(!parseAddressRange(entry), entry);
    QVERIFY(!parseAddress(std::string_view("10.0.0.1\0x", 10)));
  }

  void aRangeHoldsItsAddresses() {
    const auto range = parseAddressRange("10.0.0.0/23");
    QVERIFY(range);
    QVERIFY(range->contains(*parseAddress("10.0.1.255")));
    QVERIFY(range->contains(*parseAddress("::ffff:10.0.1.255")));
    QVERIFY(!range->contains(*parseAddress("10.0.2.0")));
  }
};

}  // namespace quarry::protocol

QTEST_GUILESS_MAIN(quarry::protocol::AddressRangeTest)
#include "address_range_test.moc"
