// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/vstorage_check.h"

#include <QTest>

using namespace quarry;

class VstorageCheckTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void names_data();
  void names();
  void problemNamesTheCharacter();
  void warnings();
  void clients_data();
  void clients();
  void clientsAreSplit();
};

void VstorageCheckTest::names_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<bool>("good");
  QTest::newRow("plain") << QStringLiteral("vs-servers_1.a") << true;
  QTest::newRow("digit first") << QStringLiteral("1st") << true;
  QTest::newRow("longest") << QString(64, u'a') << true;
  QTest::newRow("underscore first") << QStringLiteral("_a") << true;
  QTest::newRow("dash first") << QStringLiteral("-a") << false;
  QTest::newRow("empty") << QString() << false;
  QTest::newRow("space") << QStringLiteral("vs servers") << false;
  QTest::newRow("slash") << QStringLiteral("a/b") << false;
  QTest::newRow("dots") << QStringLiteral("..") << false;
  QTest::newRow("hidden") << QStringLiteral(".vs") << false;
  QTest::newRow("too long") << QString(65, u'a') << false;
  QTest::newRow("umlaut") << QStringLiteral("späth") << false;
  QTest::newRow("taken") << QStringLiteral("old") << false;
  QTest::newRow("taken in capitals") << QStringLiteral("Old") << true;
}

void VstorageCheckTest::names() {
  QFETCH(QString, name);
  QFETCH(bool, good);
  QCOMPARE(vstorageNameProblem(name, {QStringLiteral("old")}).isEmpty(), good);
}

void VstorageCheckTest::problemNamesTheCharacter() {
  QVERIFY(vstorageNameProblem(QStringLiteral("a:b"), {}).contains(u':'));
  QVERIFY(vstorageNameProblem(QStringLiteral("a b"), {}).startsWith(QStringLiteral("A blank")));
}

void VstorageCheckTest::warnings() {
  QVERIFY(vstorageNameWarning(QString(42, u'a'), {}).isEmpty());
  QVERIFY(vstorageNameWarning(QString(43, u'a'), {}).contains(QStringLiteral("ESXi")));
  QVERIFY(!vstorageNameWarning(QStringLiteral("Old"), {QStringLiteral("old")}).isEmpty());
  QVERIFY(vstorageNameWarning(QStringLiteral("new"), {QStringLiteral("old")}).isEmpty());
}

void VstorageCheckTest::clients_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<bool>("good");
  QTest::newRow("none") << QString() << true;
  QTest::newRow("address") << QStringLiteral("10.0.0.7") << true;
  QTest::newRow("range and IPv6") << QStringLiteral("192.0.2.0/24, 2001:db8::/32 ::1") << true;
  QTest::newRow("name") << QStringLiteral("esx1.example.org") << false;
  QTest::newRow("bad range") << QStringLiteral("10.0.0.0/33") << false;
  QTest::newRow("host in a range") << QStringLiteral("192.168.1.5/24") << false;
  QTest::newRow("short form") << QStringLiteral("192.168.1/24") << false;
  QTest::newRow("mask") << QStringLiteral("10.0.0.0/255.0.0.0") << false;
  QTest::newRow("scope") << QStringLiteral("fe80::1%eth0") << false;
  QTest::newRow("too many") << QStringLiteral("10.0.0.1 ").repeated(257) << false;
  QTest::newRow("one bad of two") << QStringLiteral("10.0.0.1, 10.0.0.300") << false;
}

void VstorageCheckTest::clients() {
  QFETCH(QString, text);
  QFETCH(bool, good);
  QCOMPARE(clientsProblem(text).isEmpty(), good);
}

void VstorageCheckTest::clientsAreSplit() {
  const std::vector<std::string> wanted{"10.0.0.1", "10.0.0.2", "::1"};
  QCOMPARE(clientList(QStringLiteral(" 10.0.0.1,10.0.0.2;\n::1 ")), wanted);
}

QTEST_GUILESS_MAIN(VstorageCheckTest)
#include "vstorage_check_test.moc"
