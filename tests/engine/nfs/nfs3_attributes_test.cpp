// SPDX-License-Identifier: GPL-3.0-or-later
// GETATTR, SETATTR, ACCESS, FSSTAT, FSINFO, PATHCONF.
#include <QtTest/QtTest>
#include <string>

#include "tests/support/nfs_fixture.h"

using namespace quarry;
using namespace quarry::test;

class Nfs3AttributesTest : public QObject {
  Q_OBJECT

  NfsFixture m_nfs;
  NfsClient m_client{m_nfs.port};
  std::string m_root = m_client.mountRoot("/alpha");

  NfsReply setSize(const std::string& handle, uint64_t size, std::optional<uint64_t> guard = {}) {
    return m_client.nfs(2, [&](auto& out) {
      out.string(handle);
      writeSattr(out, 0600, size);
      out.boolean(guard.has_value());
      if (guard) out.u64(*guard);
    });
  }

 private Q_SLOTS:
  void sizeIsExactAtOnce() {
    NfsClient other(m_nfs.port);
    const std::string file = m_client.makeFile(m_root, "disk-flat.vmdk");
    for (uint64_t size : {uint64_t{16} << 30, uint64_t{3} << 40, uint64_t{4097}, uint64_t{0}}) {
      NfsReply reply = setSize(file, size);
      QVERIFY(reply.is(Nfsstat3::Ok));
      const Wcc wcc = readWcc(reply.in);
      QVERIFY(wcc.hasBefore);
      QCOMPARE(wcc.after->size, size);
      QCOMPARE(wcc.after->mode, 0600u);
      QCOMPARE(other.attributes(file).size, size);
    }
    QVERIFY(m_client.write(file, 5000, "tail").is(Nfsstat3::Ok));
    QCOMPARE(other.attributes(file).size, uint64_t{5004});
    QCOMPARE(other.attributes(file).type, 1u);
  }

  void guardIsChecked() {
    const std::string file = m_client.makeFile(m_root, "guarded");
    const uint64_t changed = m_client.attributes(file).changed;
    QVERIFY(setSize(file, 10, changed - 1).is(Nfsstat3::NotSync));
    QVERIFY(setSize(file, 10, changed).is(Nfsstat3::Ok));
    NfsReply again = setSize(file, 20, changed);
    QVERIFY(again.is(Nfsstat3::NotSync));
    QCOMPARE(readWcc(again.in).after->size, uint64_t{10});
  }

  void thinFilesLookThin() {
    NfsReply made = m_client.create(m_root, "thin-flat.vmdk", 1, uint64_t{16} << 30);
    const std::string file = readPostOpHandle(made.in);
    QCOMPARE(m_client.attributes(file).size, uint64_t{16} << 30);
    QCOMPARE(m_client.attributes(file).used, uint64_t{4096});  // never nothing
    m_client.write(file, 1 << 20, std::string(3 * 4096, 'x'));
    QCOMPARE(m_client.attributes(file).used, uint64_t{3 * 4096});
    const std::string empty = m_client.makeFile(m_root, "empty");
    QCOMPARE(m_client.attributes(empty).used, uint64_t{0});
  }

  void impossibleSizesAreRefused() {
    const std::string file = m_client.makeFile(m_root, "huge");
    QVERIFY(setSize(file, fileBytesMax + 1).is(Nfsstat3::FBig));
    QVERIFY(setSize(file, fileBytesMax).is(Nfsstat3::Ok));
    QVERIFY(setSize(m_root, 0).is(Nfsstat3::IsDir));
  }

  void timesAreSet() {
    const std::string file = m_client.makeFile(m_root, "times");
    const auto set = [&](uint32_t how) {
      return m_client.nfs(2, [&](auto& out) {
        out.string(file);
        for (int unset = 0; unset < 5; ++unset) out.u32(0);  // mode, uid, gid, size, atime
        out.u32(how);
        if (how == 2) out.u64(uint64_t{1'600'000'000} << 32 | 123'456'789);
        out.u32(0);
      });
    };
    QVERIFY(set(2).is(Nfsstat3::Ok));
    QCOMPARE(m_client.attributes(file).modified, uint64_t{1'600'000'000} << 32 | 123'456'789);
    QVERIFY(set(1).is(Nfsstat3::Ok));
    QVERIFY(m_client.attributes(file).modified >> 32 > 1'700'000'000);
    QCOMPARE(set(3).status, garbageArgs);
  }

  void accessFollowsModeAndReadOnly() {
    const auto access = [&](const std::string& handle, uint32_t wanted) {
      NfsReply reply = m_client.nfs(4, [&](auto& out) { out.string(handle); out.u32(wanted); });
      readPostOp(reply.in);
      return reply.in.u32();
    };
    const std::string file = m_client.makeFile(m_root, "mine");
    QCOMPARE(access(file, 0x3f) & (AccessRead | AccessModify | AccessExtend), uint32_t{AccessRead | AccessModify | AccessExtend});
    QCOMPARE(access(file, AccessRead), uint32_t{AccessRead});
    m_client.credential.uid = 4000;
    QCOMPARE(access(file, AccessRead | AccessModify), uint32_t{AccessRead});
    m_client.credential.uid = 0;
    m_nfs.alpha->isReadOnly = true;
    QCOMPARE(access(file, AccessRead | AccessModify | AccessExtend), uint32_t{AccessRead});
    QVERIFY(m_client.write(file, 0, "x").is(Nfsstat3::RoFs));
    m_nfs.alpha->isReadOnly = false;
  }

  void squashIsAppliedToEachCall() {
    m_nfs.alpha->squashesRoot = true;
    NfsReply reply = m_client.create(m_root, "squashed", 1);
    readPostOpHandle(reply.in);
    QCOMPARE(readPostOp(reply.in)->uid, 65534u);
    m_nfs.alpha->squashesRoot = false;
  }

  void staleAndForeignHandles() {
    const std::string file = m_client.makeFile(m_root, "gone");
    QVERIFY(m_client.byName(12, m_root, "gone").is(Nfsstat3::Ok));
    QVERIFY(m_client.getAttr(file).is(Nfsstat3::Stale));
    QVERIFY(m_client.read(file, 0, 10).is(Nfsstat3::Stale));
    QVERIFY(m_client.write(file, 0, "late").is(Nfsstat3::Stale));
    std::string forged = m_root;
    forged[25] = static_cast<char>(forged[25] + 1);
    QVERIFY(m_client.getAttr(forged).is(Nfsstat3::BadHandle));
    QVERIFY(m_client.getAttr("short").is(Nfsstat3::BadHandle));
    QCOMPARE(m_client.getAttr(std::string(65, 'h')).status, garbageArgs);
    m_nfs.alpha->allowsAll = false;
    QVERIFY(m_client.getAttr(m_root).is(Nfsstat3::Acces));
    m_nfs.alpha->allowsAll = true;
    QVERIFY(m_client.getAttr(m_root).is(Nfsstat3::Ok));
  }

  void fsinfoIsWhatHostsExpect() {
    NfsReply reply = m_client.nfs(19, [&](auto& out) { out.string(m_root); });
    QVERIFY(reply.is(Nfsstat3::Ok));
    QVERIFY(readPostOp(reply.in).has_value());
    for (uint32_t expected : {1u << 20, 1u << 20, 4096u, 1u << 20, 1u << 20, 4096u, 65536u}) QCOMPARE(reply.in.u32(), expected);
    QCOMPARE(reply.in.u64(), fileBytesMax);
    QCOMPARE(reply.in.u32(), 0u);
    QCOMPARE(reply.in.u32(), 1u);
    QCOMPARE(reply.in.u32(), 0x1bu);
    QVERIFY(reply.in.ok() && reply.in.rest().empty());
  }

  void pathconfAndFsstat() {
    NfsReply reply = m_client.nfs(20, [&](auto& out) { out.string(m_root); });
    QVERIFY(readPostOp(reply.in).has_value());
    for (uint32_t expected : {32000u, 255u, 1u, 1u, 0u, 1u}) QCOMPARE(reply.in.u32(), expected);
    QVERIFY(reply.in.ok() && reply.in.rest().empty());
    NfsReply space = m_client.nfs(18, [&](auto& out) { out.string(m_root); });
    QVERIFY(readPostOp(space.in).has_value());
    QCOMPARE(space.in.u64(), uint64_t{1} << 41);
    QCOMPARE(space.in.u64(), uint64_t{1} << 40);
    QCOMPARE(space.in.u64(), uint64_t{1} << 40);
    QCOMPARE(space.in.u64(), uint64_t{1} << 20);
    QCOMPARE(space.in.u64(), uint64_t{1} << 19);
    QCOMPARE(space.in.u64(), uint64_t{1} << 19);
    QCOMPARE(space.in.u32(), 0u);
    QVERIFY(space.in.ok() && space.in.rest().empty());
  }
};

QTEST_GUILESS_MAIN(Nfs3AttributesTest)
#include "nfs3_attributes_test.moc"
