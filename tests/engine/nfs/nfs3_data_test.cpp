// SPDX-License-Identifier: GPL-3.0-or-later
// READ, WRITE, COMMIT.
#include <QtTest/QtTest>
#include <string>

#include "tests/support/nfs_fixture.h"

using namespace quarry;
using namespace quarry::test;

namespace {
struct ReadResult {
  uint32_t count = 0;
  bool eof = false;
  std::string data;
};

ReadResult readResult(NfsReply& reply) {
  ReadResult result;
  if (!reply.is(Nfsstat3::Ok)) return result;
  readPostOp(reply.in);
  result.count = reply.in.u32();
  result.eof = reply.in.boolean();
  result.data = reply.in.string(1 << 20);
  return result;
}
}  // namespace

class Nfs3DataTest : public QObject {
  Q_OBJECT

  NfsFixture m_nfs;
  NfsClient m_client{m_nfs.port};
  std::string m_root = m_client.mountRoot("/alpha");
  const uint64_t m_verifier = m_nfs.alpha->writeVerifier();

  ReadResult read(const std::string& file, uint64_t offset, uint32_t count) {
    NfsReply reply = m_client.read(file, offset, count);
    const ReadResult result = readResult(reply);
    return reply.in.ok() && reply.in.rest().empty() ? result : ReadResult{};
  }

 private Q_SLOTS:
  void eofIsExact() {
    const std::string file = m_client.makeFile(m_root, "descriptor.vmdk");
    const std::string text(139, 'd');
    QVERIFY(m_client.write(file, 0, text).is(Nfsstat3::Ok));
    const ReadResult whole = read(file, 0, 512);
    QCOMPARE(whole.count, 139u);
    QVERIFY(whole.eof);
    QCOMPARE(whole.data, text);
    QVERIFY(read(file, 0, 139).eof);
    QVERIFY(!read(file, 0, 138).eof);
    QVERIFY(read(file, 100, 39).eof);
    QVERIFY(!read(file, 100, 38).eof);
  }

  void countZeroAndBeyondTheEnd() {
    const std::string file = m_client.makeFile(m_root, "edges");
    QVERIFY(read(file, 0, 10).eof);
    m_client.write(file, 0, "0123456789");
    const ReadResult none = read(file, 0, 0);
    QCOMPARE(none.count, 0u);
    QVERIFY(!none.eof);
    QVERIFY(read(file, 10, 0).eof);
    const ReadResult beyond = read(file, 1000, 10);
    QCOMPARE(beyond.count, 0u);
    QVERIFY(beyond.eof);
    QVERIFY(read(file, ~uint64_t{0}, 10).eof);
  }

  void largestTransfersAndAnyAlignment() {
    const std::string file = m_client.makeFile(m_root, "large");
    std::string data(1 << 20, 0);
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>(i * 7 + i / 300);
    NfsReply written = m_client.write(file, 12345, data);
    QVERIFY(written.is(Nfsstat3::Ok));
    readWcc(written.in);
    QCOMPARE(written.in.u32(), 1u << 20);
    for (uint32_t odd : {1u, 2u, 3u, 4095u, 70001u}) {
      const ReadResult part = read(file, 12345 + odd, odd);
      QVERIFY(part.data == data.substr(odd, odd));
    }
    QVERIFY(read(file, 12345, 1 << 20).data == data);
    const ReadResult clamped = read(file, 0, 8 << 20);
    QCOMPARE(clamped.count, 1u << 20);
    QVERIFY(!clamped.eof);
    QCOMPARE(m_client.write(file, 0, data + "x").status, garbageArgs);
  }

  void stabilityAndVerifier() {
    const std::string file = m_client.makeFile(m_root, "stable");
    for (uint32_t stable : {0u, 1u, 2u}) {
      NfsReply reply = m_client.write(file, 0, "abcd", stable);
      QVERIFY(reply.is(Nfsstat3::Ok));
      const Wcc wcc = readWcc(reply.in);
      QVERIFY(wcc.hasBefore);
      QVERIFY(wcc.after->changed > wcc.changedBefore);
      QCOMPARE(reply.in.u32(), 4u);
      QCOMPARE(reply.in.u32(), stable);
      QCOMPARE(reply.in.u64(), m_verifier);
      QVERIFY(reply.in.ok() && reply.in.rest().empty());
    }
    const auto commit = [&] { return m_client.nfs(21, [&](auto& out) { out.string(file); out.u64(0); out.u32(0); }); };
    NfsReply committed = commit();
    QVERIFY(committed.is(Nfsstat3::Ok));
    QVERIFY(readWcc(committed.in).after.has_value());
    QCOMPARE(committed.in.u64(), m_verifier);
    m_nfs.alpha->failCommits = 1;
    QVERIFY(commit().is(Nfsstat3::Io));
    QCOMPARE(m_client.write(file, 0, "abcd", 3).status, garbageArgs);
  }

  void badWritesChangeNothing() {
    const std::string file = m_client.makeFile(m_root, "bad");
    m_client.write(file, 0, "good");
    NfsReply reply = m_client.write(file, 0, "evil", 2, 3);
    QVERIFY(reply.is(Nfsstat3::Inval));
    const Wcc wcc = readWcc(reply.in);
    QVERIFY(!wcc.hasBefore);
    QCOMPARE(wcc.after->size, uint64_t{4});
    QVERIFY(m_client.write(file, 0, "evil", 2, 5).is(Nfsstat3::Inval));
    QVERIFY(m_client.write(file, fileBytesMax - 3, "evil").is(Nfsstat3::FBig));
    QVERIFY(m_client.write(file, ~uint64_t{0} - 1, "evil").is(Nfsstat3::FBig));
    QVERIFY(m_client.write(m_root, 0, "evil").is(Nfsstat3::IsDir));
    QVERIFY(m_client.read(m_root, 0, 10).is(Nfsstat3::IsDir));
    m_nfs.alpha->freeBytesLeft = 0;
    QVERIFY(m_client.write(file, 0, "evil").is(Nfsstat3::NoSpc));
    QVERIFY(m_client.read(file, 0, 4).is(Nfsstat3::Ok));
    m_nfs.alpha->freeBytesLeft = uint64_t{1} << 40;
    QCOMPARE(read(file, 0, 100).data, std::string("good"));
    QVERIFY(m_client.write(file, 4, "").is(Nfsstat3::Ok));
  }

  // QEMU's werror=enospc and ESXi's question pause the VM on this status, and on no other.
  void fullQuotaIsAFullDisk() {
    const std::string file = m_client.makeFile(m_root, "quota");
    m_nfs.alpha->quotaBytesLeft = 0;
    QVERIFY(m_client.write(file, 0, "more").is(Nfsstat3::NoSpc));
    m_nfs.alpha->quotaBytesLeft = uint64_t{1} << 40;
    QVERIFY(m_client.write(file, 0, "more").is(Nfsstat3::Ok));
  }

  void permissionsHold() {
    const std::string file = m_client.makeFile(m_root, "rootsfile");
    NfsClient stranger(m_nfs.port);
    stranger.credential = {4000, 4000, {}};
    QVERIFY(stranger.read(file, 0, 1).is(Nfsstat3::Ok));
    QVERIFY(stranger.write(file, 0, "x").is(Nfsstat3::Acces));
  }
};

QTEST_GUILESS_MAIN(Nfs3DataTest)
#include "nfs3_data_test.moc"
