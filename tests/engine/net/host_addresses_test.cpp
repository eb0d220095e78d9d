// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/net/host_addresses.h"

#include <QTest>
#include <algorithm>

using quarry::net::hostAddresses;
using Addresses = std::vector<std::string>;

class HostAddressesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oneAddressIsTheOnlyOne() {
    QCOMPARE(hostAddresses("192.0.2.7"), Addresses{"192.0.2.7"});
    QCOMPARE(hostAddresses("2001:db8::7"), Addresses{"2001:db8::7"});
  }
  void loopbackReachesNoOtherHost() {
    QVERIFY(hostAddresses("127.0.0.1").empty());
    QVERIFY(hostAddresses("::1").empty());
    QVERIFY(hostAddresses("not an address").empty());
  }
  void allOfOneKind() {
    const Addresses four = hostAddresses("0.0.0.0"), both = hostAddresses("::");
    const auto isSix = [](const std::string& address) { return address.find(':') != std::string::npos; };
    QVERIFY(std::none_of(four.begin(), four.end(), isSix));
    QVERIFY(both.size() >= four.size() && std::equal(four.begin(), four.end(), both.begin()));
    QVERIFY(std::find(both.begin(), both.end(), "127.0.0.1") == both.end());
  }
};

QTEST_GUILESS_MAIN(HostAddressesTest)
#include "host_addresses_test.moc"
