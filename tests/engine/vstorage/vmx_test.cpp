// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vmx.h"

#include <QtTest>

namespace quarry {

class VmxTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void findsValues();
  void namesGuests_data();
  void namesGuests();
};

void VmxTest::findsValues() {
  const std::string text =
      ".encoding = \"UTF-8\"\r\n# guestOS = \"no\"\r\n  GuestOS=\"debian12-64\"  \r\nguestOS = \"second\"\n"
      "displayName = \"a|22b|7\"\nbare = value\nopen = \"no end\nempty = \"\"";
  QCOMPARE(vmxValue(text, "guestOS").value(), std::string("debian12-64"));
  QCOMPARE(vmxValue(text, "displayname").value(), std::string("a\"b|7"));
  QCOMPARE(vmxValue(text, "bare").value(), std::string("value"));
  QCOMPARE(vmxValue(text, "open").value(), std::string("no end"));
  QCOMPARE(vmxValue(text, "empty").value(), std::string());
  QVERIFY(!vmxValue(text, "guest"));
  QVERIFY(!vmxValue(std::string(vmxBytesMax, '\n') + "guestOS = \"late\"", "guestOS"));
  QCOMPARE(vmxValue("k = \"" + std::string(5000, 'x') + "\"", "k")->size(), size_t{256});
  QCOMPARE(vmxValue("k = \"a\x01\xff|00z\"", "k").value(), std::string("az"));
}

void VmxTest::namesGuests_data() {
  QTest::addColumn<QString>("id");
  QTest::addColumn<QString>("name");
  const auto row = [](const char* id, const char* name) { QTest::newRow(id) << QString::fromLatin1(id) << QString::fromLatin1(name); };
  row("debian12-64", "Debian 12");
  row("Ubuntu-64", "Ubuntu");
  row("rhel9-64", "Red Hat Enterprise Linux 9");
  row("windows9-64", "Windows 10");
  row("windows9srv-64", "Windows Server 2016");
  row("windows2019srv-64", "Windows Server 2019");
  row("windows2019srvnext-64", "Windows Server 2022");
  row("freebsd13-64", "FreeBSD 13");
  row("other5xlinux-64", "Linux 5.x");
  row("other-64", "Other");
  row("beos", "beos");
  row("", "");
}

void VmxTest::namesGuests() {
  QFETCH(QString, id);
  QTEST(QString::fromStdString(guestName(id.toStdString())), "name");
}

}  // namespace quarry

QTEST_GUILESS_MAIN(quarry::VmxTest)
#include "vmx_test.moc"
