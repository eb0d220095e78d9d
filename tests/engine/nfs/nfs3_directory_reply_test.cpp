// SPDX-License-Identifier: GPL-3.0-or-later
// READDIR and READDIRPLUS.
#include "engine/nfs/nfs3_directory_reply.h"

#include <QtTest/QtTest>
#include <map>
#include <string>
#include <vector>

#include "tests/support/nfs_fixture.h"

using namespace quarry;
using namespace quarry::test;

namespace {
struct Listed {
  std::string name, handle;
  uint64_t fileid = 0, cookie = 0;
  std::optional<Fattr> attributes;
};
struct Listing {
  uint32_t status = 0;
  std::vector<Listed> entries;
  bool eof = false;
  size_t resultBytes = 0;  // without the status
  size_t nameBytes = 0;    // fileids, names, cookies
};
struct Limits {
  uint32_t nameBytes = 0, resultBytes = 0;
};
}  // namespace

class Nfs3DirectoryReplyTest : public QObject {
  Q_OBJECT

  NfsFixture m_nfs;
  NfsClient m_client{m_nfs.port};
  std::string m_root = m_client.mountRoot("/alpha");
  std::string m_folder = m_client.makeFolder(m_root, "many");
  static constexpr int fileCount = 120;

  Listing list(bool plus, const std::string& folder, uint64_t cookie, uint64_t verifier, const Limits& limits) {
    NfsReply reply = m_client.nfs(plus ? 17 : 16, [&](auto& out) {
      out.string(folder);
      out.u64(cookie);
      out.u64(verifier);
      if (plus) out.u32(limits.nameBytes);
      out.u32(limits.resultBytes);
    });
    Listing listing;
    listing.status = reply.status;
    if (!reply.is(Nfsstat3::Ok)) return listing;
    listing.resultBytes = reply.bytes->size() - 4;
    readPostOp(reply.in);
    reply.in.u64();
    while (reply.in.boolean()) {
      Listed entry;
      entry.fileid = reply.in.u64();
      entry.name = reply.in.string(255);
      entry.cookie = reply.in.u64();
      listing.nameBytes += 20 + rpc::xdrPadded(entry.name.size());
      if (plus) {
        entry.attributes = readPostOp(reply.in);
        entry.handle = readPostOpHandle(reply.in);
      }
      listing.entries.push_back(entry);
    }
    listing.eof = reply.in.boolean();
    if (!reply.in.ok() || !reply.in.rest().empty()) listing.status = garbageArgs;
    return listing;
  }

  // The whole folder in as many replies as it takes; each within its limits, each with at least one entry.
  std::map<std::string, Listed> listAll(bool plus, const Limits& limits) {
    std::map<std::string, Listed> all;
    uint64_t cookie = 0;
    while (true) {
      const Listing part = list(plus, m_folder, cookie, 0, limits);
      if (part.status != 0 || part.resultBytes > limits.resultBytes || (plus && part.nameBytes > limits.nameBytes)) return {};
      for (const Listed& entry : part.entries)
        if (!all.emplace(entry.name, entry).second) return {};
      if (part.eof) return all;
      if (part.entries.empty()) return {};
      cookie = part.entries.back().cookie;
    }
  }

 private Q_SLOTS:
  void initTestCase() {
    for (int i = 0; i < fileCount; ++i)
      QVERIFY(!m_client.makeFile(m_folder, "file" + std::string(static_cast<size_t>(i % 40), 'x') + std::to_string(i)).empty());
  }

  void everythingIsListedOnceWhateverTheLimits() {
    for (uint32_t bytes : {400u, 1000u, 4096u, 65536u, 1u << 20}) {
      QCOMPARE(listAll(false, {0, bytes}).size(), size_t{fileCount + 2});
      QCOMPARE(listAll(true, {bytes, bytes}).size(), size_t{fileCount + 2});
    }
    QCOMPARE(listAll(true, {100, 32768}).size(), size_t{fileCount + 2});
  }

  void dotsComeFirstWithTheirFileids() {
    const Listing listing = list(false, m_folder, 0, 0, {0, 4096});
    QCOMPARE(listing.entries[0].name, std::string("."));
    QCOMPARE(listing.entries[0].fileid, m_client.attributes(m_folder).fileid);
    QCOMPARE(listing.entries[1].name, std::string(".."));
    QCOMPARE(listing.entries[1].fileid, m_client.attributes(m_root).fileid);
    const Listing root = list(false, m_root, 0, 0, {0, 4096});
    QCOMPARE(root.entries[1].fileid, m_client.attributes(m_root).fileid);
  }

  // The three ways to learn about a file agree.
  void plusAgreesWithLookupAndGetAttr() {
    for (const auto& [name, entry] : listAll(true, {65536, 65536})) {
      if (name == "." || name == "..") continue;
      NfsReply found = m_client.lookup(m_folder, name);
      QCOMPARE(readHandle(found.in), entry.handle);
      const Fattr looked = *readPostOp(found.in), got = m_client.attributes(entry.handle);
      QCOMPARE(entry.attributes->fileid, entry.fileid);
      QCOMPARE(looked.fileid, entry.fileid);
      QCOMPARE(got.fileid, entry.fileid);
      QCOMPARE(entry.attributes->fsid, uint64_t{1});
      QCOMPARE(looked.fsid, uint64_t{1});
      QCOMPARE(got.fsid, uint64_t{1});
    }
  }

  void exactLimitsAreUsed() {
    const Listing whole = list(false, m_root, 0, 0, {0, 65536});
    QVERIFY(whole.eof);
    const auto exact = static_cast<uint32_t>(whole.resultBytes);
    const Listing fits = list(false, m_root, 0, 0, {0, exact});
    QVERIFY(fits.eof);
    QCOMPARE(fits.entries.size(), whole.entries.size());
    const Listing oneLess = list(false, m_root, 0, 0, {0, exact - 1});
    QVERIFY(!oneLess.eof);
    QCOMPARE(oneLess.entries.size(), whole.entries.size() - 1);
  }

  void tooSmallLimitsAreNamed() {
    QCOMPARE(list(false, m_folder, 0, 0, {0, 100}).status, uint32_t(Nfsstat3::TooSmall));
    QCOMPARE(list(false, m_folder, 0, 0, {0, 104}).status, uint32_t(Nfsstat3::TooSmall));
    QCOMPARE(list(false, m_folder, 0, 0, {0, 104 + 28}).entries.size(), size_t{1});
    QCOMPARE(list(true, m_folder, 0, 0, {4096, 200}).status, uint32_t(Nfsstat3::TooSmall));
    QCOMPARE(list(true, m_folder, 0, 0, {10, 4096}).status, uint32_t(Nfsstat3::TooSmall));
  }

  void anyVerifierAndOldCookiesWork() {
    const Listing first = list(false, m_folder, 0, 0, {0, 1000});
    const Listed last = first.entries.back();
    QVERIFY(m_client.byName(12, m_folder, last.name).is(Nfsstat3::Ok));
    const Listing next = list(false, m_folder, last.cookie, 0x1234, {0, 1000});
    QCOMPARE(next.status, 0u);
    QVERIFY(next.entries.front().cookie > last.cookie);
    QVERIFY(!m_client.makeFile(m_folder, last.name).empty());
    const Listing end = list(false, m_folder, ~uint64_t{0}, 0, {0, 1000});
    QVERIFY(end.eof && end.entries.empty());
  }

  void twoLinksOfOneFileAreBothListed() {
    const std::string folder = m_client.makeFolder(m_root, "links");
    const std::string file = m_client.makeFile(folder, "a");
    QVERIFY(m_client.nfs(15, [&](auto& out) { out.string(file); out.string(folder); out.string("b"); }).is(Nfsstat3::Ok));
    const Listing listing = list(true, folder, 0, 0, {4096, 4096});
    QCOMPARE(listing.entries.size(), size_t{4});
    QCOMPARE(listing.entries[2].fileid, listing.entries[3].fileid);
    QVERIFY(listing.entries[2].cookie != listing.entries[3].cookie);
  }

  void onlyFoldersAreListed() {
    const std::string file = m_client.makeFile(m_root, "plain");
    QCOMPARE(list(false, file, 0, 0, {0, 4096}).status, uint32_t(Nfsstat3::NotDir));
    QCOMPARE(list(true, file, 0, 0, {4096, 4096}).status, uint32_t(Nfsstat3::NotDir));
  }
};

QTEST_GUILESS_MAIN(Nfs3DirectoryReplyTest)
#include "nfs3_directory_reply_test.moc"
