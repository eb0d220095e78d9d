// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/vstorage_rules.h"

#include <QtTest>

namespace quarry::protocol {

class VstorageRulesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void namesThatCommandsTakeForOptionsAreRefused() {
    for (const char* bad : {"-x", "--server", ".x", "", "a b"}) QVERIFY2(!checkVstorageName(bad), bad);
    for (const char* good : {"_x", "x-", "1st", "x.y"}) QVERIFY2(checkVstorageName(good).has_value(), good);
    QVERIFY(checkVstorageName(std::string(nameBytesMax, 'x')).has_value());
    QVERIFY(!checkVstorageName(std::string(nameBytesMax + 1, 'x')));
  }

  void clientsAreBounded() {
    QVERIFY(checkClients(std::vector<std::string>(clientsMax, "10.0.0.1")).has_value());
    QVERIFY(!checkClients(std::vector<std::string>(clientsMax + 1, "10.0.0.1")));
    QVERIFY(!checkClients({"10.0.0.1", "10.0.0.1/8"}));
  }
};

}  // namespace quarry::protocol

QTEST_GUILESS_MAIN(quarry::protocol::VstorageRulesTest)
#include "vstorage_rules_test.moc"
