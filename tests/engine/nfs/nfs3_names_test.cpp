// SPDX-License-Identifier: GPL-3.0-or-later
// LOOKUP, CREATE, MKDIR, SYMLINK, READLINK, MKNOD, REMOVE, RMDIR, RENAME, LINK.
#include <QtTest/QtTest>
#include <string>

#include "tests/support/nfs_fixture.h"

using namespace quarry;
using namespace quarry::test;

class Nfs3NamesTest : public QObject {
  Q_OBJECT

  enum Procedure : uint32_t { Mkdir = 9, Symlink = 10, Mknod = 11, Remove = 12, Rmdir = 13, Rename = 14, Link = 15, Readlink = 5 };
  enum Mode : uint32_t { Unchecked = 0, Guarded = 1 };

  NfsFixture m_nfs;
  NfsClient m_client{m_nfs.port};
  std::string m_root = m_client.mountRoot("/alpha");

  NfsReply createExclusive(const std::string& name, uint64_t verifier) {
    return m_client.nfs(8, [&](auto& out) { out.string(m_root); out.string(name); out.u32(2); out.u64(verifier); });
  }
  NfsReply makeSymlink(const std::string& name, const std::string& target) {
    return m_client.nfs(Symlink, [&](auto& out) { out.string(m_root); out.string(name); writeSattr(out, 0777); out.string(target); });
  }
  NfsReply link(const std::string& file, const std::string& directory, const std::string& name) {
    return m_client.nfs(Link, [&](auto& out) { out.string(file); out.string(directory); out.string(name); });
  }

 private Q_SLOTS:
  void lookupFindsAndMisses() {
    const std::string folder = m_client.makeFolder(m_root, "folder");
    const std::string file = m_client.makeFile(folder, "file");
    NfsReply found = m_client.lookup(folder, "file");
    QVERIFY(found.is(Nfsstat3::Ok));
    QCOMPARE(readHandle(found.in), file);
    QCOMPARE(readPostOp(found.in)->type, 1u);
    QCOMPARE(readPostOp(found.in)->type, 2u);
    QVERIFY(found.in.ok() && found.in.rest().empty());
    NfsReply parent = m_client.lookup(folder, "..");
    QCOMPARE(readHandle(parent.in), m_root);
    NfsReply above = m_client.lookup(m_root, "..");
    QCOMPARE(readHandle(above.in), m_root);
    NfsReply missing = m_client.lookup(folder, "none");
    QVERIFY(missing.is(Nfsstat3::NoEnt));
    QCOMPARE(readPostOp(missing.in)->type, 2u);
    QVERIFY(m_client.lookup(file, "x").is(Nfsstat3::NotDir));
    QVERIFY(m_client.lookup(folder, std::string(256, 'n')).is(Nfsstat3::NameTooLong));
    QVERIFY(m_client.lookup(folder, "a/b").is(Nfsstat3::Inval));
    QVERIFY(m_client.lookup(folder, "").is(Nfsstat3::Inval));
  }

  void guardedCreateHappensOnce() {
    NfsReply first = m_client.create(m_root, ".lck-e003090001000000", Guarded);
    QVERIFY(first.is(Nfsstat3::Ok));
    const std::string handle = readPostOpHandle(first.in);
    QCOMPARE(readPostOp(first.in)->mode, 0644u);
    const Wcc wcc = readWcc(first.in);
    QVERIFY(wcc.hasBefore && wcc.after && wcc.after->changed > wcc.changedBefore);
    QVERIFY(first.in.ok() && first.in.rest().empty());
    NfsClient other(m_nfs.port);
    QVERIFY(other.create(m_root, ".lck-e003090001000000", Guarded).is(Nfsstat3::Exist));
    QCOMPARE(m_client.attributes(handle).size, uint64_t{0});
  }

  void uncheckedCreateReuses() {
    NfsReply first = m_client.create(m_root, "open", Unchecked);
    const std::string handle = readPostOpHandle(first.in);
    m_client.write(handle, 0, "0123456789");
    NfsReply kept = m_client.create(m_root, "open", Unchecked);
    QCOMPARE(readPostOpHandle(kept.in), handle);
    QCOMPARE(readPostOp(kept.in)->size, uint64_t{10});
    NfsReply cut = m_client.create(m_root, "open", Unchecked, 0);
    QCOMPARE(readPostOpHandle(cut.in), handle);
    QCOMPARE(readPostOp(cut.in)->size, uint64_t{0});
    QCOMPARE(m_client.attributes(handle).size, uint64_t{0});
    m_client.makeFolder(m_root, "opendir");
    QVERIFY(m_client.create(m_root, "opendir", Unchecked).is(Nfsstat3::Exist));
  }

  void exclusiveCreateKnowsItsVerifier() {
    NfsReply first = createExclusive("excl", 0xabcdef);
    QVERIFY(first.is(Nfsstat3::Ok));
    const std::string handle = readPostOpHandle(first.in);
    NfsReply again = createExclusive("excl", 0xabcdef);
    QVERIFY(again.is(Nfsstat3::Ok));
    QCOMPARE(readPostOpHandle(again.in), handle);
    QVERIFY(createExclusive("excl", 0xabcdee).is(Nfsstat3::Exist));
    QCOMPARE(m_client.create(m_root, "mode", 3).status, garbageArgs);
  }

  void badNamesAreRefused() {
    for (const char* dots : {".", ".."}) {
      QVERIFY(m_client.create(m_root, dots, Guarded).is(Nfsstat3::Exist));
      QVERIFY(m_client.byName(Remove, m_root, dots).is(Nfsstat3::Inval));
      QVERIFY(m_client.byName(Rmdir, m_root, dots).is(Nfsstat3::Inval));
    }
    QVERIFY(m_client.create(m_root, "", Guarded).is(Nfsstat3::Inval));
    QVERIFY(m_client.create(m_root, "a/b", Guarded).is(Nfsstat3::Inval));
    QVERIFY(m_client.create(m_root, std::string("a\0b", 3), Guarded).is(Nfsstat3::Inval));
    QVERIFY(m_client.create(m_root, std::string(256, 'n'), Guarded).is(Nfsstat3::NameTooLong));
    QVERIFY(m_client.create(m_root, std::string(255, 'n'), Guarded).is(Nfsstat3::Ok));
    QVERIFY(m_client.create(m_root, "Grüße 漢字", Guarded).is(Nfsstat3::Ok));
  }

  void foldersComeAndGo() {
    const std::string folder = m_client.makeFolder(m_root, "vm1");
    QCOMPARE(m_client.attributes(folder).type, 2u);
    QVERIFY(m_client.nfs(Mkdir, [&](auto& out) { out.string(m_root); out.string("vm1"); writeSattr(out); }).is(Nfsstat3::Exist));
    m_client.makeFile(folder, "disk");
    QVERIFY(m_client.byName(Rmdir, m_root, "vm1").is(Nfsstat3::NotEmpty));
    QVERIFY(m_client.byName(Remove, m_root, "vm1").is(Nfsstat3::IsDir));
    QVERIFY(m_client.byName(Rmdir, folder, "disk").is(Nfsstat3::NotDir));
    NfsReply removed = m_client.byName(Remove, folder, "disk");
    QVERIFY(removed.is(Nfsstat3::Ok));
    QVERIFY(readWcc(removed.in).hasBefore);
    QVERIFY(m_client.byName(Rmdir, m_root, "vm1").is(Nfsstat3::Ok));
    QVERIFY(m_client.getAttr(folder).is(Nfsstat3::Stale));
    NfsReply missing = m_client.byName(Remove, m_root, "vm1");
    QVERIFY(missing.is(Nfsstat3::NoEnt));
    QVERIFY(readWcc(missing.in).after.has_value());
  }

  void symlinksKeepTheirTarget() {
    NfsReply made = makeSymlink("link", "../other/target");
    QVERIFY(made.is(Nfsstat3::Ok));
    const std::string handle = readPostOpHandle(made.in);
    QCOMPARE(readPostOp(made.in)->type, 5u);
    NfsReply read = m_client.nfs(Readlink, [&](auto& out) { out.string(handle); });
    QVERIFY(readPostOp(read.in).has_value());
    QCOMPARE(std::string(read.in.string(4096)), std::string("../other/target"));
    QVERIFY(makeSymlink("long", std::string(4096, 't')).is(Nfsstat3::Ok));
    QVERIFY(makeSymlink("longer", std::string(4097, 't')).is(Nfsstat3::NameTooLong));
    QVERIFY(makeSymlink("empty", "").is(Nfsstat3::Inval));
    QVERIFY(m_client.nfs(Readlink, [&](auto& out) { out.string(m_root); }).is(Nfsstat3::Inval));
  }

  void nodesAreMade() {
    const auto mknod = [&](const std::string& name, uint32_t type, bool device) {
      return m_client.nfs(Mknod, [&](auto& out) {
        out.string(m_root);
        out.string(name);
        out.u32(type);
        writeSattr(out, 0600);
        if (device) out.u64(uint64_t{8} << 32 | 3);
      });
    };
    for (uint32_t type : {3u, 4u, 6u, 7u}) {
      NfsReply made = mknod("node" + std::to_string(type), type, type < 5);
      QVERIFY(made.is(Nfsstat3::Ok));
      readPostOpHandle(made.in);
      QCOMPARE(readPostOp(made.in)->type, type);
    }
    QVERIFY(mknod("file", 1, false).is(Nfsstat3::BadType));
    QVERIFY(mknod("what", 99, false).is(Nfsstat3::BadType));
    QCOMPARE(mknod("device", 3, false).status, garbageArgs);
  }

  void renameMovesAndReplaces() {
    const std::string from = m_client.makeFolder(m_root, "from"), to = m_client.makeFolder(m_root, "to");
    const std::string file = m_client.makeFile(from, "vm.vmx~"), old = m_client.makeFile(to, "vm.vmx");
    NfsReply renamed = m_client.byNames(Rename, from, "vm.vmx~", to, "vm.vmx");
    QVERIFY(renamed.is(Nfsstat3::Ok));
    QVERIFY(readWcc(renamed.in).hasBefore);
    QVERIFY(readWcc(renamed.in).hasBefore);
    QVERIFY(renamed.in.ok() && renamed.in.rest().empty());
    NfsReply found = m_client.lookup(to, "vm.vmx");
    QCOMPARE(readHandle(found.in), file);
    QVERIFY(m_client.getAttr(old).is(Nfsstat3::Stale));
    QVERIFY(m_client.byNames(Rename, from, "vm.vmx~", to, "x").is(Nfsstat3::NoEnt));
    QVERIFY(m_client.byNames(Rename, m_root, "to", to, "inside").is(Nfsstat3::Inval));
    QVERIFY(m_client.byNames(Rename, m_root, "to", m_root, "..").is(Nfsstat3::Inval));
    const std::string beta = m_client.mountRoot("/beta");
    NfsReply across = m_client.byNames(Rename, to, "vm.vmx", beta, "vm.vmx");
    QVERIFY(across.is(Nfsstat3::XDev));
    QVERIFY(readWcc(across.in).after.has_value());
    QVERIFY(readWcc(across.in).after.has_value());
  }

  void linksShareOneFile() {
    const std::string file = m_client.makeFile(m_root, "original");
    NfsReply linked = link(file, m_root, "second");
    QVERIFY(linked.is(Nfsstat3::Ok));
    QCOMPARE(readPostOp(linked.in)->linkCount, 2u);
    QVERIFY(readWcc(linked.in).hasBefore);
    QVERIFY(link(file, m_root, "second").is(Nfsstat3::Exist));
    QVERIFY(link(m_root, m_root, "dir").is(Nfsstat3::IsDir));
    QVERIFY(link(file, m_client.mountRoot("/beta"), "x").is(Nfsstat3::XDev));
    QVERIFY(m_client.byName(Remove, m_root, "original").is(Nfsstat3::Ok));
    QCOMPARE(m_client.attributes(file).linkCount, 1u);
  }

  void readOnlyAndPermissionsHold() {
    const std::string closed = m_client.makeFolder(m_root, "closed");
    m_client.credential.uid = 4000;
    QVERIFY(m_client.create(closed, "x", Guarded).is(Nfsstat3::Acces));
    m_client.credential.uid = 0;
    m_nfs.alpha->isReadOnly = true;
    QVERIFY(m_client.create(m_root, "x", Guarded).is(Nfsstat3::RoFs));
    QVERIFY(m_client.byName(Rmdir, m_root, "closed").is(Nfsstat3::RoFs));
    m_nfs.alpha->isReadOnly = false;
  }
};

QTEST_GUILESS_MAIN(Nfs3NamesTest)
#include "nfs3_names_test.moc"
