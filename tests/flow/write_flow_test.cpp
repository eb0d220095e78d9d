// SPDX-License-Identifier: GPL-3.0-or-later
// "Follow a WRITE" of the README, first half: from the socket to the landing file, through a whole engine; what was acknowledged is there
// after a restart, under the same handle.
#include <QTest>
#include <QtTest/QtTest>

#include "tests/support/engine_site.h"

using namespace quarry;
using namespace quarry::test;

class WriteFlowTest : public QObject {
  Q_OBJECT

  EngineSite m_site;

  static std::string readBack(NfsClient& client, const std::string& file, uint64_t offset, uint32_t count) {
    NfsReply reply = client.read(file, offset, count);
    if (!reply.is(nfs::Nfsstat3::Ok)) return "status " + std::to_string(reply.status);
    readPostOp(reply.in);
    reply.in.u32();
    reply.in.boolean();
    return std::string(reply.in.string(1 << 20));
  }

 private Q_SLOTS:
  void initTestCase() {
    QCOMPARE(m_site.error, std::string());
    QVERIFY(m_site.request("vstorage.create", R"({"name":"alpha"})"));
  }

  void stableWritesAreThereAfterARestartUnderTheSameHandle() {
    std::string file, handleOfRoot;
    const std::string data = guestData(300'000, 1);
    {
      NfsClient client(m_site.nfsPort());
      handleOfRoot = client.mountRoot("/alpha");
      QVERIFY(!handleOfRoot.empty());
      file = client.makeFile(handleOfRoot, "disk-flat.vmdk");
      NfsReply written = client.write(file, 5000, data);
      QVERIFY(written.is(nfs::Nfsstat3::Ok));
      readWcc(written.in);
      QCOMPARE(written.in.u32(), uint32_t(data.size()));
      QCOMPARE(written.in.u32(), 2u);  // FILE_SYNC was asked and reached
      QCOMPARE(readBack(client, file, 5000, 300'000), data);
    }
    m_site.restart();
    QCOMPARE(m_site.error, std::string());
    NfsClient client(m_site.nfsPort());
    QCOMPARE(client.mountRoot("/alpha"), handleOfRoot);
    QCOMPARE(readBack(client, file, 5000, 300'000), data);
    QCOMPARE(readBack(client, file, 0, 5000), std::string(5000, '\0'));
    QCOMPARE(client.attributes(file).size, uint64_t{305'000});
  }

  void verifierTellsOfARestartBetweenWriteAndCommit() {
    uint64_t verifier = 0;
    std::string file;
    const auto commit = [&file](NfsClient& client) {
      NfsReply reply = client.nfs(21, [&](auto& out) { out.string(file); out.u64(0); out.u32(0); });
      readWcc(reply.in);
      return reply.is(nfs::Nfsstat3::Ok) ? reply.in.u64() : uint64_t{0};
    };
    const auto writeUnstable = [&file](NfsClient& client, const std::string& data) {
      NfsReply reply = client.write(file, 0, data, 0);
      readWcc(reply.in);
      reply.in.u32();
      reply.in.u32();
      return reply.is(nfs::Nfsstat3::Ok) ? reply.in.u64() : uint64_t{0};
    };
    {
      NfsClient client(m_site.nfsPort());
      file = client.makeFile(client.mountRoot("/alpha"), "unstable");
      verifier = writeUnstable(client, "first");
      QVERIFY(verifier != 0);
      QCOMPARE(commit(client), verifier);
      QCOMPARE(writeUnstable(client, "second"), verifier);
    }
    m_site.restart();
    NfsClient client(m_site.nfsPort());
    const uint64_t after = commit(client);
    QVERIFY(after != 0 && after != verifier);  // so the client sends again what it had not committed
    QCOMPARE(writeUnstable(client, "second"), after);
    QCOMPARE(commit(client), after);
    QCOMPARE(readBack(client, file, 0, 100), std::string("second"));
  }

  void otherHostSeesTheSizeAtOnce() {
    NfsClient first(m_site.nfsPort()), second(m_site.nfsPort(), "127.0.0.2");
    const std::string file = first.makeFile(first.mountRoot("/alpha"), "shared");
    for (uint64_t size = 1000; size < 6000; size += 1000) {
      const uint64_t changed = second.attributes(file).changed;
      QVERIFY(first.write(file, size - 1000, std::string(1000, 'x')).is(nfs::Nfsstat3::Ok));
      const Fattr seen = second.attributes(file);
      QCOMPARE(seen.size, size);
      QVERIFY(seen.changed > changed);
    }
  }

  void fullQuotaStopsWritesAndNothingElse() {
    QVERIFY(m_site.request("vstorage.create", R"({"name":"small","quotaBytes":1048576})"));
    NfsClient client(m_site.nfsPort());
    const std::string root = client.mountRoot("/small");
    const std::string file = client.makeFile(root, "disk-flat.vmdk"), lock = client.makeFile(root, ".lck-0100000000000000");
    QVERIFY(client.write(file, 0, guestData(1 << 20, 5)).is(nfs::Nfsstat3::Ok));
    QVERIFY(client.write(file, 1 << 20, guestData(1 << 20, 6)).is(nfs::Nfsstat3::NoSpc));
    QVERIFY(client.write(lock, 0, std::string(84, 'l')).is(nfs::Nfsstat3::Ok));
    QCOMPARE(readBack(client, file, 0, 1 << 20), guestData(1 << 20, 5));
  }

  void shrinkThenGrowShowsZeros() {
    NfsClient client(m_site.nfsPort());
    const std::string file = client.makeFile(client.mountRoot("/alpha"), "shrink");
    client.write(file, 0, std::string(100'000, 'x'));
    for (const uint64_t size : {uint64_t{4097}, uint64_t{1 << 20}})
      QVERIFY(client.nfs(2, [&](auto& out) { out.string(file); writeSattr(out, {}, size); out.u32(0); }).is(nfs::Nfsstat3::Ok));
    QCOMPARE(readBack(client, file, 4090, 100), std::string(7, 'x') + std::string(93, '\0'));
    QCOMPARE(readBack(client, file, 90'000, 100), std::string(100, '\0'));
  }
};

QTEST_GUILESS_MAIN(WriteFlowTest)
#include "write_flow_test.moc"
