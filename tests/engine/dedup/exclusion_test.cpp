// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/dedup/exclusion.h"

using quarry::dedup::excludedBy;

class ExclusionTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void locksAndSwapAlways() {
    for (const char* path : {".lck-0400000000000000", "vm/.lck-3f", "vm/vm-1a2b.vswp", "vm/vmx-vm-1-2.vswp"}) QVERIFY(excludedBy(path, {}));
    for (const char* path : {"vm/vm-flat.vmdk", "vm/lck", "vm/x.vswp.txt", "vswp"}) QVERIFY(!excludedBy(path, {}));
  }
  void patterns() {
    QVERIFY(excludedBy("a/b/disk.iso", {"*.iso"}));
    QVERIFY(excludedBy("backup/b/disk.raw", {"backup"}));
    QVERIFY(excludedBy("backup/b/disk.raw", {"backup/*"}));
    QVERIFY(excludedBy("a/b/disk.raw", {"a/*/disk.raw"}));
    QVERIFY(!excludedBy("a/b/c/disk.raw", {"a/*/disk.raw"}));
    QVERIFY(!excludedBy("mybackup/disk.raw", {"backup", "backup/*"}));
    QCOMPARE(*excludedBy("a/x.iso", {"*.raw", "*.iso"}), std::string("*.iso"));
  }
};

QTEST_GUILESS_MAIN(ExclusionTest)
#include "exclusion_test.moc"
