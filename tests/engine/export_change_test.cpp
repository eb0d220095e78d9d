// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/export_change.h"

#include <QTest>

using namespace quarry;
using protocol::VstorageInfo;

class ExportChangeTest : public QObject {
  Q_OBJECT

  static VstorageInfo offered() {
    VstorageInfo info;
    info.clients = {"10.0.0.0/24"};
    info.squash = protocol::Squash::Root;
    return info;
  }

 private Q_SLOTS:
  void nothingChangedIsNoText() { QVERIFY(exportChange(offered(), offered()).text.empty()); }

  void moreClientsAreAWarning() {
    VstorageInfo after = offered();
    after.clients = {"0.0.0.0/0"};
    const ExportChange change = exportChange(offered(), after);
    QCOMPARE(change.text, std::string("clients: 10.0.0.0/24 -> 0.0.0.0/0"));
    QVERIFY(change.opensAccess);
    QVERIFY(!exportChange(offered(), [] { VstorageInfo none = offered(); none.clients.clear(); return none; }()).opensAccess);
  }

  void lessSquashingIsAWarning() {
    VstorageInfo after = offered();
    after.squash = protocol::Squash::None;
    QVERIFY(exportChange(offered(), after).opensAccess);
    QVERIFY(!exportChange(after, offered()).opensAccess);
  }

  void everythingIsNamed() {
    VstorageInfo after = offered();
    after.readOnly = true;
    after.quotaBytes = 4096;
    const ExportChange change = exportChange(offered(), after);
    QCOMPARE(change.text, std::string("read-only: no -> yes, quota: none -> 4096 bytes"));
    QVERIFY(!change.opensAccess);
    QVERIFY(exportChange(after, offered()).opensAccess);
  }
};

QTEST_GUILESS_MAIN(ExportChangeTest)
#include "export_change_test.moc"
