// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/inode_table.h"

#include <QTest>
#include <set>

#include "engine/base/spawn.h"
#include "tests/engine/metadata/namespace_fixture.h"

using namespace quarry;
using namespace quarry::metadata;

namespace {

Task<void> createOne(InodeTable& table, FileId directory, int number) {
  CreateRequest request;
  request.directory = directory;
  request.name = "file-" + std::to_string(number);
  auto created = co_await table.create(request);
  QUARRY_CHECK(created);
}

std::string pattern(ErrorCode code) { return std::string(name(code)); }

}  // namespace

class InodeTableTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    m_fixture = std::make_unique<NamespaceFixture>();
    auto row = run(table().createVstorage("vms", "{}"));
    QVERIFY(row);
    m_root = row->root;
  }
  void cleanup() { m_fixture.reset(); }

  void vstoragesAndTheirIdsSurvive() {
    QCOMPARE(run(table().createVstorage("vms", "{}")).error().code, ErrorCode::Exists);
    auto second = run(table().createVstorage("second", "{}"));
    QVERIFY(run(table().setVstorage(second->id, "{\"a\":1}")));
    auto file = m_fixture->create(second->root, "disk.vmdk");
    auto removed = run(table().removeVstorage(second->id));
    QVERIFY(removed && *removed == std::vector<FileId>{file->inode.fileid});
    QVERIFY(!table().get(second->root));
    m_fixture->reopen();
    QCOMPARE(table().vstorages().size(), 1u);
    auto third = run(table().createVstorage("third", "{}"));
    QVERIFY(third->id > second->id);
    QVERIFY(third->root > file->inode.fileid);
    QCOMPARE(table().fileCount(third->id), 0u);
  }

  void namesAreChecked() {
    const std::string nul("a\0b", 3);
    for (const std::string& bad : {std::string(), std::string("."), std::string(".."), std::string("a/b"), nul}) {
      QCOMPARE(m_fixture->create(m_root, bad).error().code, ErrorCode::InvalidArgument);
    }
    QCOMPARE(m_fixture->create(m_root, std::string(256, 'x')).error().code, ErrorCode::NameTooLong);
    QVERIFY(m_fixture->create(m_root, std::string(255, 'x')));
    QVERIFY(m_fixture->create(m_root, "odd \xff\xfe name"));
    m_fixture->reopen();
    QVERIFY(table().lookup(m_root, "odd \xff\xfe name"));
  }

  void createModes() {
    CreateRequest request;
    request.directory = m_root;
    request.name = "lock";
    request.createMode = CreateMode::Exclusive;
    request.verifier = std::array<std::byte, 8>{std::byte{1}, std::byte{2}};
    auto first = run(table().create(request));
    QVERIFY(first && first->isNew);
    QVERIFY(first->directory.after.changed > first->directory.before.changed);
    m_fixture->reopen();
    auto again = run(table().create(request));
    QVERIFY(again && !again->isNew && again->inode.fileid == first->inode.fileid);
    request.verifier = std::array<std::byte, 8>{std::byte{3}};
    QCOMPARE(run(table().create(request)).error().code, ErrorCode::Exists);
    request.createMode = CreateMode::Unchecked;
    QVERIFY(!run(table().create(request))->isNew);
    request.createMode = CreateMode::Guarded;
    QCOMPARE(run(table().create(request)).error().code, ErrorCode::Exists);
  }

  void fileidsAreNeverReused() {
    std::set<FileId> seen;
    for (int round = 0; round < 3; ++round) {
      auto created = m_fixture->create(m_root, "file");
      QVERIFY(seen.insert(created->inode.fileid).second);
      auto removed = run(table().remove(m_root, "file"));
      QCOMPARE(removed->inode.linkCount, 0u);
      QVERIFY(removed->inode.truncateCounter > created->inode.truncateCounter);
      m_fixture->reopen();
    }
  }

  void changedGrowsEvenWhenTheClockGoesBack() {
    const FileId file = m_fixture->create(m_root, "file")->inode.fileid;
    Timestamp last = table().get(file)->changed;
    for (int i = 0; i < 5; ++i) {
      auto touched = table().touchWritten(file, 100 * static_cast<uint64_t>(i));
      QVERIFY(touched->after.changed > last);
      last = touched->after.changed;
    }
    QTest::qWait(300);  // the floor of changed times becomes durable
    m_fixture->clock.offsetNs = -3'600'000'000'000;
    m_fixture->reopen();  // without persistAll, as after a crash
    QVERIFY(table().touchWritten(file, 1)->after.changed > last);
  }

  void sizesBecomeDurable() {
    const FileId file = m_fixture->create(m_root, "file")->inode.fileid;
    QVERIFY(table().touchWritten(file, 5000));
    QVERIFY(run(table().persistSize(file)));
    const uint64_t transactions = m_fixture->queue->transactionCount();
    QVERIFY(table().touchWritten(file, 10));
    QVERIFY(run(table().persistSize(file)));
    QVERIFY(m_fixture->queue->transactionCount() <= transactions + 1);  // the floor at most: the durable size covers it
    QVERIFY(table().touchWritten(file, 6000));
    m_fixture->reopen();
    QCOMPARE(table().get(file)->size, 5000u);
    QVERIFY(table().touchWritten(file, 7000));
    QVERIFY(run(table().persistAll()));
    m_fixture->reopen();
    QCOMPARE(table().get(file)->size, 7000u);
  }

  void touchedFilesAreSavedByThemselves() {
    const FileId file = m_fixture->create(m_root, "file")->inode.fileid;
    QVERIFY(table().touchWritten(file, 4242));
    QTest::qWait(3600);
    m_fixture->reopen();
    QCOMPARE(table().get(file)->size, 4242u);
  }

  void truncationIsRecordedUntilItsEnd() {
    const FileId file = m_fixture->create(m_root, "file")->inode.fileid;
    QVERIFY(table().touchWritten(file, 9000));
    AttributeChange change;
    change.size = 100;
    QCOMPARE(run(table().setAttributes(file, change)).error().code, ErrorCode::InvalidArgument);
    auto begun = run(table().beginTruncate(file, change));
    QVERIFY(begun && begun->after.size == 100 && begun->after.truncateCounter == begun->before.truncateCounter + 1);
    m_fixture->reopen();
    QCOMPARE(table().pendingTruncates(), std::vector<FileId>{file});
    QCOMPARE(*table().get(file)->pendingTruncate, 100u);
    QVERIFY(run(table().endTruncate(file)));
    m_fixture->reopen();
    QVERIFY(table().pendingTruncates().empty());
    QCOMPARE(table().get(file)->size, 100u);
  }

  void guardsAndModes() {
    const FileId file = m_fixture->create(m_root, "file")->inode.fileid;
    AttributeChange change;
    change.mode = 06755;
    change.guardChanged = Timestamp{1};
    QCOMPARE(run(table().setAttributes(file, change)).error().code, ErrorCode::NotSync);
    change.guardChanged = table().get(file)->changed;
    QVERIFY(run(table().setAttributes(file, change)));
    QCOMPARE(table().touchWritten(file, 1)->after.mode, 0755u);
    change.guardChanged.reset();
    change.size = uint64_t{1} << 63;
    QCOMPARE(run(table().setAttributes(file, change)).error().code, ErrorCode::FileTooBig);
  }

  // rename of every kind of thing over every kind of thing.
  void renameMatrix() {
    const std::vector<std::string> kinds{"file", "empty", "full", "link", "none"};
    const auto make = [this](const std::string& kind, const std::string& at) {
      if (kind == "file") QVERIFY(m_fixture->create(m_root, at));
      if (kind == "link") QVERIFY(m_fixture->create(m_root, at, FileType::Symlink));
      if (kind == "empty" || kind == "full") QVERIFY(m_fixture->create(m_root, at, FileType::Directory));
      if (kind == "full") QVERIFY(m_fixture->create(table().lookup(m_root, at)->fileid, "child"));
    };
    const auto expected = [](const std::string& from, const std::string& to) -> std::string {
      if (from == "none") return pattern(ErrorCode::NotFound);
      if (to == "none") return "done";
      const bool fromDirectory = from == "empty" || from == "full", toDirectory = to == "empty" || to == "full";
      if (fromDirectory && !toDirectory) return pattern(ErrorCode::NotDirectory);
      if (!fromDirectory && toDirectory) return pattern(ErrorCode::IsDirectory);
      return to == "full" ? pattern(ErrorCode::NotEmpty) : "done";
    };
    for (const std::string& from : kinds) {
      for (const std::string& to : kinds) {
        const std::string a = "from-" + from + to, b = "to-" + from + to;
        make(from, a);
        make(to, b);
        const auto source = table().lookup(m_root, a), target = table().lookup(m_root, b);
        const auto renamed = m_fixture->rename(m_root, a, m_root, b);
        QCOMPARE(renamed ? "done" : pattern(renamed.error().code), expected(from, to));
        if (!renamed) continue;
        QCOMPARE(table().lookup(m_root, a).error().code, ErrorCode::NotFound);
        QCOMPARE(table().lookup(m_root, b)->fileid, source->fileid);
        QCOMPARE(renamed->replaced.has_value(), target.has_value());
        if (target) QVERIFY(!table().get(target->fileid));
      }
    }
  }

  void renameMovesAndCountsFolders() {
    const FileId a = m_fixture->create(m_root, "a", FileType::Directory)->inode.fileid;
    const FileId b = m_fixture->create(a, "b", FileType::Directory)->inode.fileid;
    QCOMPARE(table().get(m_root)->linkCount, 3u);
    QCOMPARE(m_fixture->rename(m_root, "a", b, "below").error().code, ErrorCode::InvalidArgument);
    QVERIFY(m_fixture->rename(a, "b", m_root, "b"));
    QCOMPARE(table().get(m_root)->linkCount, 4u);
    QCOMPARE(table().get(a)->linkCount, 2u);
    QCOMPARE(table().lookup(b, "..")->fileid, m_root);
    QCOMPARE(run(table().removeDirectory(m_root, "b"))->inode.linkCount, 0u);
    QCOMPARE(table().get(m_root)->linkCount, 3u);
    auto other = run(table().createVstorage("other", "{}"));
    QCOMPARE(m_fixture->rename(m_root, "a", other->root, "a").error().code, ErrorCode::CrossDevice);
  }

  void hardLinksAndRenameOntoItself() {
    const FileId file = m_fixture->create(m_root, "one")->inode.fileid;
    const FileId folder = m_fixture->create(m_root, "folder", FileType::Directory)->inode.fileid;
    QVERIFY(run(table().link(file, folder, "two")));
    QCOMPARE(table().path(file), std::string("folder/two"));
    QVERIFY(m_fixture->rename(m_root, "one", folder, "two"));  // the same inode: nothing happens
    QVERIFY(table().lookup(m_root, "one"));
    QCOMPARE(table().get(file)->linkCount, 2u);
    QCOMPARE(run(table().remove(folder, "two"))->inode.linkCount, 1u);
    QCOMPARE(table().path(file), std::string("one"));
    m_fixture->reopen();
    QCOMPARE(table().path(file), std::string("one"));
    QCOMPARE(run(table().link(folder, m_root, "loop")).error().code, ErrorCode::IsDirectory);
  }

  void failedTransactionLeavesNothing() {
    const FileId file = m_fixture->create(m_root, "kept")->inode.fileid;
    QVERIFY(table().touchWritten(file, 777));
    m_fixture->commitFails = true;
    QCOMPARE(m_fixture->create(m_root, "lost").error().code, ErrorCode::NoSpace);
    QCOMPARE(run(table().remove(m_root, "kept")).error().code, ErrorCode::NoSpace);
    QVERIFY(!run(table().persistSize(file)));
    QCOMPARE(table().lookup(m_root, "lost").error().code, ErrorCode::NotFound);
    QCOMPARE(table().lookup(m_root, "kept")->size, 777u);
    m_fixture->commitFails = false;
    QVERIFY(run(table().persistSize(file)));
    QVERIFY(m_fixture->create(m_root, "lost"));
    m_fixture->reopen();
    QCOMPARE(table().get(file)->size, 777u);
    QVERIFY(table().lookup(m_root, "lost"));
  }

  // A read that touches the file while the truncation's row is being written.
  void aTruncationStaysWhenALaterTransactionFails() {
    const FileId file = m_fixture->create(m_root, "disk")->inode.fileid;
    QVERIFY(table().touchWritten(file, 1000));
    slowDownUpdates();
    std::atomic<bool> done = false;
    std::thread reader([&] {
      while (!done) {
        table().touchRead(file);
        std::this_thread::yield();
      }
    });
    AttributeChange change;
    change.size = 10;
    const auto truncated = run(table().beginTruncate(file, change));
    done = true;
    reader.join();
    QVERIFY(truncated);
    m_fixture->commitFails = true;
    QCOMPARE(m_fixture->create(m_root, "lost").error().code, ErrorCode::NoSpace);
    m_fixture->commitFails = false;
    QCOMPARE(table().get(file)->size, 10u);
    QVERIFY(run(table().persistAll()));
    m_fixture->reopen();
    QCOMPARE(table().get(file)->size, 10u);
  }

  // The directory's row is gone but not its entry: what is in RAM cannot be made right again.
  void aNamespaceThatCannotBeReadAgainTakesNoMoreChanges() {
    std::atomic<int> told = 0;
    m_fixture->queue->setOnBroken([&](const Error& error) { told += error.code == ErrorCode::Corrupt ? 1 : 0; });
    QVERIFY(m_fixture->queue->submitAndWait([](Database& database) { return database.run("INSERT INTO entries VALUES (1000, 999, 'x', 998)"); }));
    m_fixture->commitFails = true;
    QCOMPARE(m_fixture->create(m_root, "lost").error().code, ErrorCode::NoSpace);
    m_fixture->commitFails = false;
    QCOMPARE(told.load(), 1);
    QVERIFY(m_fixture->queue->isBroken());
    QCOMPARE(m_fixture->create(m_root, "later").error().code, ErrorCode::Corrupt);
    QCOMPARE(told.load(), 1);
  }

  void hugeDirectoriesListInOrder() {
    constexpr int count = 100'000;
    for (int i = 0; i < count; ++i) spawn(m_fixture->context, createOne(table(), m_root, i));
    m_fixture->context.restart();
    m_fixture->context.run();
    QVERIFY(table().lookup(m_root, "file-99999"));
    const auto readAll = [this] {
      std::vector<uint64_t> cookies;
      for (uint64_t cookie = 0;;) {
        auto entries = table().list(m_root, cookie, 1000);
        if (entries->empty()) return cookies;
        for (const DirectoryEntry& entry : *entries) cookies.push_back(entry.cookie);
        cookie = entries->back().cookie;
      }
    };
    const auto before = readAll();
    QCOMPARE(before.size(), static_cast<size_t>(count));
    QVERIFY(before.front() >= 3 && std::is_sorted(before.begin(), before.end()));
    m_fixture->reopen();
    QVERIFY(readAll() == before);
  }

  void wrongKindsAreRefused() {
    const FileId file = m_fixture->create(m_root, "file")->inode.fileid;
    const FileId link = m_fixture->create(m_root, "link", FileType::Symlink)->inode.fileid;
    QCOMPARE(*table().symlinkTarget(link), std::string("target"));
    QCOMPARE(table().symlinkTarget(file).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(table().lookup(file, "x").error().code, ErrorCode::NotDirectory);
    QCOMPARE(table().list(999'999, 0, 10).error().code, ErrorCode::Stale);
    QCOMPARE(table().touchWritten(m_root, 1).error().code, ErrorCode::IsDirectory);
    QCOMPARE(run(table().remove(m_root, "nothing")).error().code, ErrorCode::NotFound);
    QCOMPARE(run(table().removeDirectory(m_root, "file")).error().code, ErrorCode::NotDirectory);
    QCOMPARE(table().lookup(m_root, "..")->fileid, m_root);
  }

 private:
  // Each update of an inode then takes some tens of milliseconds, in which the table's mutex is free.
  void slowDownUpdates() {
    QVERIFY(m_fixture->queue->submitAndWait([](Database& database) -> Result<void> {
      for (int i = 0; i < 1500; ++i)
        if (auto added = database.run("INSERT INTO settings VALUES (?, '')", std::string_view(std::to_string(i))); !added) return added;
      return database.runScript("CREATE TEMP TRIGGER slow AFTER UPDATE ON inodes BEGIN SELECT sum(length(a.name || b.name)) FROM settings a, settings b; END");
    }));
  }

  InodeTable& table() { return *m_fixture->table; }
  template <class T>
  T run(Task<T> task) {
    return m_fixture->run(std::move(task));
  }

  std::unique_ptr<NamespaceFixture> m_fixture;
  FileId m_root = 0;
};

QTEST_GUILESS_MAIN(InodeTableTest)
#include "inode_table_test.moc"
