// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/permissions.h"

#include <QtTest>

namespace quarry {

namespace {
const Caller root{0, 0, {}}, owner{100, 100, {}}, member{200, 300, {10}}, other{400, 400, {}};

Inode file(uint32_t mode) {
  Inode inode;
  inode.fileid = 7;
  inode.mode = mode;
  inode.uid = 100;
  inode.gid = 10;
  return inode;
}
Inode folder(uint32_t mode) {
  Inode inode = file(mode);
  inode.type = metadata::FileType::Directory;
  return inode;
}
const Timestamp now{1'000'000'000'000'000'000};
}  // namespace

class PermissionsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void modeBitsByClass();
  void theOwnerAlwaysReachesItsData();
  void access();
  void stickyFolders();
  void changesOfAttributes();
  void privilegeBitsGo();
  void newFiles();
};

void PermissionsTest::modeBitsByClass() {
  // Every mode and class: the class's own three bits decide, not the better ones of another class.
  for (uint32_t mode = 0; mode < 01000; ++mode) {
    for (const uint32_t bit : {MayRead, MayWrite, MayExecute}) {
      QCOMPARE(isGranted(owner, file(mode), bit), (mode >> 6 & bit) != 0);
      QCOMPARE(isGranted(member, file(mode), bit), (mode >> 3 & bit) != 0);
      QCOMPARE(isGranted(other, file(mode), bit), (mode & bit) != 0);
    }
    QVERIFY(isGranted(root, file(mode), MayRead | MayWrite));
    QCOMPARE(isGranted(root, file(mode), MayExecute), (mode & 0111) != 0);
    QVERIFY(isGranted(root, folder(mode), MayExecute));
  }
}

void PermissionsTest::theOwnerAlwaysReachesItsData() {
  QVERIFY(checkReadData(owner, file(0)) && checkWriteData(owner, file(0)));
  QVERIFY(!checkReadData(other, file(0640)) && !checkWriteData(member, file(0640)));
  QVERIFY(checkReadData(member, file(0640)));
  QVERIFY(checkReadData(other, file(0711)));  // executing needs reading
  QCOMPARE(checkReadData(other, file(0)).error().code, ErrorCode::AccessDenied);
}

void PermissionsTest::access() {
  const uint32_t all = 63;
  QCOMPARE(grantedAccess(owner, folder(0700), all), uint32_t{AccessRead | AccessLookup | AccessModify | AccessExtend | AccessDelete});
  QCOMPARE(grantedAccess(other, folder(0701), all), uint32_t{AccessLookup});
  QCOMPARE(grantedAccess(other, folder(0702), all), 0u);
  QCOMPARE(grantedAccess(owner, file(0600), all), uint32_t{AccessRead | AccessModify | AccessExtend});
  QCOMPARE(grantedAccess(member, file(0650), all), uint32_t{AccessRead | AccessExecute});
  QCOMPARE(grantedAccess(owner, file(0600), AccessRead), uint32_t{AccessRead});
}

void PermissionsTest::stickyFolders() {
  Inode shared = folder(01777);
  Inode entry = file(0666);
  entry.uid = 200;
  QVERIFY(checkTakeAway(member, shared, entry));
  QVERIFY(checkTakeAway(owner, shared, entry));  // of the folder
  QVERIFY(checkTakeAway(root, shared, entry));
  QCOMPARE(checkTakeAway(other, shared, entry).error().code, ErrorCode::NotPermitted);
  QVERIFY(checkTakeAway(other, folder(0777), entry));
  QCOMPARE(checkTakeAway(other, folder(0775), entry).error().code, ErrorCode::AccessDenied);
}

void PermissionsTest::changesOfAttributes() {
  const auto may = [](const Caller& caller, const Inode& inode, metadata::AttributeChange change) {
    return permittedChange(caller, inode, change, now).has_value();
  };
  metadata::AttributeChange mode, uid, group, foreignGroup, size, past, present;
  mode.mode = 0600;
  uid.uid = 400;
  group.gid = 100;
  foreignGroup.gid = 99;
  size.size = 1;
  past.modified = Timestamp{1};
  present.modified = now;
  QVERIFY(may(owner, file(0), mode) && !may(member, file(0777), mode) && may(root, file(0), mode));
  QVERIFY(!may(owner, file(0777), uid) && may(root, file(0), uid));
  QVERIFY(may(owner, file(0), group) && !may(owner, file(0777), foreignGroup) && may(root, file(0), foreignGroup));
  QVERIFY(!may(member, file(0777), group));
  QVERIFY(may(owner, file(0), size) && may(other, file(0666), size) && !may(other, file(0664), size));
  QVERIFY(may(owner, file(0), past) && !may(other, file(0666), past));
  QVERIFY(may(other, file(0666), present) && !may(other, file(0664), present));
}

void PermissionsTest::privilegeBitsGo() {
  metadata::AttributeChange give, size, setGid;
  give.uid = 400;
  size.size = 0;
  setGid.mode = 02755;
  QCOMPARE(*permittedChange(root, file(06755), give, now)->mode, 0755u);
  QCOMPARE(*permittedChange(root, file(06745), give, now)->mode, 02745u);  // no group execute: not a privilege
  QCOMPARE(*permittedChange(owner, file(04755), size, now)->mode, 0755u);
  QVERIFY(!permittedChange(root, file(04755), size, now)->mode);
  QCOMPARE(*permittedChange(owner, file(0755), setGid, now)->mode, 0755u);  // not in group 10
  QCOMPARE(*permittedChange(Caller{100, 10, {}}, file(0755), setGid, now)->mode, 02755u);
}

void PermissionsTest::newFiles() {
  const auto made = attributesOfNew(member, folder(02775), metadata::FileType::Regular, {});
  QVERIFY(made && *made->uid == 200 && *made->gid == 10 && *made->mode == 0644);
  const auto plain = attributesOfNew(member, folder(0775), metadata::FileType::Directory, {});
  QVERIFY(plain && *plain->gid == 300 && *plain->mode == 0755);
  QCOMPARE(*attributesOfNew(member, folder(02775), metadata::FileType::Directory, {})->mode, 02755u);
  metadata::AttributeChange forOther;
  forOther.uid = 400;
  QCOMPARE(attributesOfNew(member, folder(0777), metadata::FileType::Regular, forOther).error().code, ErrorCode::NotPermitted);
  QVERIFY(attributesOfNew(root, folder(0777), metadata::FileType::Regular, forOther));
}

}  // namespace quarry

QTEST_GUILESS_MAIN(quarry::PermissionsTest)
#include "permissions_test.moc"
