// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/mount3_program.h"

#include <QtTest/QtTest>
#include <string>

#include "engine/nfs/mount_path.h"
#include "tests/support/nfs_fixture.h"

using namespace quarry;
using namespace quarry::test;

class Mount3ProgramTest : public QObject {
  Q_OBJECT

  NfsFixture m_nfs;
  NfsClient m_client{m_nfs.port};

  uint32_t mountStatus(const std::string& path) {
    return m_client.mount(1, [&](auto& out) { out.string(path); }).status;
  }

 private Q_SLOTS:
  void pathsAreTakenApart() {
    for (const char* same : {"alpha", "/alpha", "alpha/", "/alpha/", "//alpha//", "/./alpha/."}) {
      const auto path = nfs::parseMountPath(same);
      QVERIFY(path.has_value());
      QCOMPARE(path->vstorage, std::string("alpha"));
      QVERIFY(path->folders.empty());
    }
    const auto deep = nfs::parseMountPath("/alpha/vm 1/disks/");
    QCOMPARE(deep->folders.size(), size_t{2});
    QCOMPARE(deep->folders[0], std::string("vm 1"));
    QCOMPARE(nfs::parseMountPath("/").error().code, ErrorCode::NotFound);
    QCOMPARE(nfs::parseMountPath("").error().code, ErrorCode::NotFound);
    QCOMPARE(nfs::parseMountPath("/alpha/../beta").error().code, ErrorCode::AccessDenied);
    QCOMPARE(nfs::parseMountPath(std::string(1025, 'a')).error().code, ErrorCode::NameTooLong);
    QCOMPARE(nfs::parseMountPath("/" + std::string(300, 'a')).error().code, ErrorCode::NameTooLong);
  }

  void nullAnswers() {
    QCOMPARE(m_client.call({nfs::mountProgramNumber, 3, 0})->stat, 0u);
    const auto mismatch = m_client.call({nfs::mountProgramNumber, 1, 0});
    QCOMPARE(mismatch->stat, 2u);
    rpc::XdrReader in{Bytes(mismatch->results)};
    QCOMPARE(in.u32(), 3u);
    QCOMPARE(in.u32(), 3u);
  }

  void mountGivesTheRootAndAuthSys() {
    NfsReply reply = m_client.mount(1, [](auto& out) { out.string("/alpha"); });
    QCOMPARE(reply.status, 0u);
    const std::string root = readHandle(reply.in);
    QVERIFY(root.size() <= 56);
    QCOMPARE(reply.in.u32(), 1u);
    QCOMPARE(reply.in.u32(), 1u);  // AUTH_SYS
    QVERIFY(reply.in.ok() && reply.in.rest().empty());
    const Fattr attributes = m_client.attributes(root);
    QCOMPARE(attributes.type, 2u);
    QCOMPARE(attributes.fsid, uint64_t{1});
    QCOMPARE(m_client.mountRoot("alpha/"), root);
    QVERIFY(m_client.mountRoot("/beta") != root);
  }

  void foldersCanBeMounted() {
    const std::string root = m_client.mountRoot("/alpha");
    const std::string folder = m_client.makeFolder(root, "vm1");
    m_client.makeFile(folder, "disk.img");
    QCOMPARE(m_client.mountRoot("/alpha/vm1"), folder);
    QCOMPARE(m_client.mountRoot("/alpha/vm1/"), folder);
    QCOMPARE(mountStatus("/alpha/vm1/disk.img"), 20u);
    QCOMPARE(mountStatus("/alpha/none"), 2u);
    QCOMPARE(mountStatus("/alpha/vm1/../.."), 13u);
  }

  void refusalsAreNamed() {
    QCOMPARE(mountStatus("/gamma"), 2u);
    QCOMPARE(mountStatus("/"), 2u);
    m_nfs.alpha->allowsAll = false;
    QCOMPARE(mountStatus("/alpha"), 13u);
    m_nfs.alpha->allowsAll = true;
    QCOMPARE(m_client.call({nfs::mountProgramNumber, 3, 1})->stat, 4u);
  }

  void mountsAreListedUntilUnmounted() {
    m_client.mount(4, [](auto&) {});
    m_client.mountRoot("/alpha");
    m_client.mountRoot("/beta");
    auto dump = m_client.call({nfs::mountProgramNumber, 3, 2});
    rpc::XdrReader in{Bytes(dump->results)};
    QVERIFY(in.boolean());
    QCOMPARE(std::string(in.string(255)), std::string("127.0.0.1"));
    QCOMPARE(std::string(in.string(1024)), std::string("/alpha"));
    QVERIFY(in.boolean());
    in.string(255);
    QCOMPARE(std::string(in.string(1024)), std::string("/beta"));
    QVERIFY(!in.boolean() && in.ok());
    m_client.mount(3, [](auto& out) { out.string("/alpha"); });
    QCOMPARE(m_nfs.exports.mounts().size(), size_t{1});
    m_client.mount(4, [](auto&) {});
    QVERIFY(m_nfs.exports.mounts().empty());
  }

  void foldersAreMountsOfTheirOwn() {
    const std::string root = m_client.mountRoot("/alpha");
    m_client.makeFolder(root, "one");
    m_client.makeFolder(root, "two");
    m_client.mount(4, [](auto&) {});
    m_client.mountRoot("alpha/one/");
    m_client.mountRoot("/alpha//two");
    m_client.mount(3, [](auto& out) { out.string("/alpha/one"); });
    QCOMPARE(m_nfs.exports.mounts(), (std::vector<std::pair<std::string, std::string>>{{"127.0.0.1", "/alpha/two"}}));
    m_client.mount(4, [](auto&) {});
  }

  // A host goes on with its handles after a restart of the engine: that must be seen, but not with every request.
  void useIsNotedNowAndThen() {
    const std::string root = m_client.mountRoot("/alpha");
    m_nfs.exports.useCount = 0;
    NfsClient other(m_nfs.port, "127.0.0.77");
    for (int i = 0; i < 100; ++i) other.getAttr(root);
    QVERIFY(m_nfs.exports.useCount >= 1 && m_nfs.exports.useCount <= 2);  // a minute may end meanwhile
  }

  void exportsAreListedForWhoMayUseThem() {
    m_nfs.beta->allowsAll = false;
    const auto list = m_client.call({nfs::mountProgramNumber, 3, 5});
    m_nfs.beta->allowsAll = true;
    rpc::XdrReader in{Bytes(list->results)};
    QVERIFY(in.boolean());
    QCOMPARE(std::string(in.string(1024)), std::string("/alpha"));
    QVERIFY(in.boolean());
    QCOMPARE(std::string(in.string(255)), std::string("127.0.0.1"));
    QVERIFY(!in.boolean());
    QVERIFY(!in.boolean());
    QVERIFY(in.ok() && in.rest().empty());
  }
};

QTEST_GUILESS_MAIN(Mount3ProgramTest)
#include "mount3_program_test.moc"
