// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/address_list.h"

#include <QtTest>

namespace quarry {

class AddressListTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void admits_data();
  void admits();
  void refuses_data();
  void refuses();
};

void AddressListTest::admits_data() {
  QTest::addColumn<QStringList>("entries");
  QTest::addColumn<QString>("address");
  QTest::addColumn<bool>("isIn");
  const auto row = [](const char* title, QStringList entries, const char* address, bool isIn) {
    QTest::newRow(title) << entries << QString::fromLatin1(address) << isIn;
  };
  row("nothing said: loopback", {}, "127.0.0.1", true);
  row("nothing said: loopback 6", {}, "::1", true);
  row("nothing said: others not", {}, "192.168.1.5", false);
  row("one address", {QStringLiteral("10.0.0.7")}, "10.0.0.7", true);
  row("another address", {QStringLiteral("10.0.0.7")}, "10.0.0.8", false);
  row("loopback is not implied", {QStringLiteral("10.0.0.7")}, "127.0.0.1", false);
  row("first of a range", {QStringLiteral("192.168.16.0/20")}, "192.168.16.0", true);
  row("last of a range", {QStringLiteral("192.168.16.0/20")}, "192.168.31.255", true);
  row("behind a range", {QStringLiteral("192.168.16.0/20")}, "192.168.32.0", false);
  row("mapped address", {QStringLiteral("192.168.16.0/20")}, "::ffff:192.168.20.1", true);
  row("mapped range", {QStringLiteral("::ffff:10.0.0.0/104")}, "10.200.0.1", true);
  row("all of IPv4", {QStringLiteral("0.0.0.0/0")}, "8.8.8.8", true);
  row("all of IPv4 is not IPv6", {QStringLiteral("0.0.0.0/0")}, "2001:db8::1", false);
  row("all of IPv6 is not IPv4", {QStringLiteral("::/0")}, "8.8.8.8", false);
  row("all of IPv6", {QStringLiteral("::/0")}, "2001:db8::1", true);
  row("an odd prefix", {QStringLiteral("2001:db8:8000::/33")}, "2001:db8:ffff::1", true);
  row("outside an odd prefix", {QStringLiteral("2001:db8:8000::/33")}, "2001:db8:7fff::1", false);
  row("with an interface", {QStringLiteral("fe80::/10")}, "fe80::1%eth0", true);
  row("no address", {QStringLiteral("0.0.0.0/0")}, "localhost", false);
}

void AddressListTest::admits() {
  QFETCH(QStringList, entries);
  QFETCH(QString, address);
  std::vector<std::string> texts;
  for (const QString& entry : entries) texts.push_back(entry.toStdString());
  const auto list = AddressList::parse(texts);
  QVERIFY(list);
  QTEST(list->contains(address.toStdString()), "isIn");
}

void AddressListTest::refuses_data() {
  QTest::addColumn<QString>("entry");
  for (const char* entry : {"", " ", "10.0.0", "10.0.0.0.0", "10.0.0.256", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/8 ",
                            "10.0.0.1/8", "2001:db8::/129", "2001:db8::1/64", "fe80::1%eth0", "example.org", "10.0.0.0/8/8", "10.0.0.0/0x8"})
    QTest::newRow(entry) << QString::fromLatin1(entry);
}

void AddressListTest::refuses() {
  QFETCH(QString, entry);
  const auto list = AddressList::parse({"10.0.0.7", entry.toStdString()});
  QVERIFY(!list);
  QCOMPARE(list.error().code, ErrorCode::InvalidArgument);
  QVERIFY(list.error().message.find("\"" + entry.toStdString() + "\"") != std::string::npos);
}

}  // namespace quarry

QTEST_GUILESS_MAIN(quarry::AddressListTest)
#include "address_list_test.moc"
