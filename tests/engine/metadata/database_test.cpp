// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/database.h"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "engine/metadata/schema.h"

using namespace quarry;
using namespace quarry::metadata;

class DatabaseTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void valuesOfAllTypesComeBack() {
    auto database = openNamespaceDatabase(path("types.db"), DatabaseMode::Create);
    QVERIFY(database);
    QVERIFY((*database)->runScript("CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d INTEGER)"));
    const std::string odd("a\xff\0b", 4);
    const std::array<std::byte, 3> blob{std::byte{0}, std::byte{255}, std::byte{7}};
    const std::optional<uint64_t> none;
    QVERIFY((*database)->run("INSERT INTO t VALUES (?, ?, ?, ?)", UINT64_MAX, std::string_view(odd), Bytes(blob), none));
    auto row = (*database)->prepare("SELECT a, b, c, d FROM t");
    QVERIFY(row && *row->step());
    QCOMPARE(row->unsignedInteger(0), UINT64_MAX);
    QCOMPARE(row->text(1), odd);
    QVERIFY(std::equal(blob.begin(), blob.end(), row->blob(2).begin(), row->blob(2).end()));
    QVERIFY(row->isNull(3));
    QVERIFY(!*row->step());
  }

  // It passes, and is no fault of the disk: nothing may end for good because of it.
  void aProcessOutOfDescriptorsIsBusy() {
    QVERIFY(openNamespaceDatabase(path("few.db"), DatabaseMode::Create));
    rlimit before{};
    QVERIFY(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit few{64, before.rlim_max};
    QVERIFY(::setrlimit(RLIMIT_NOFILE, &few) == 0);
    std::vector<int> taken;
    for (int value = ::dup(0); value >= 0; value = ::dup(0)) taken.push_back(value);
    const auto opened = openNamespaceDatabase(path("few.db"), DatabaseMode::MustExist);
    for (const int value : taken) ::close(value);
    QVERIFY(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::Busy);
  }

  void savepointsAndTransactionsRollBack() {
    auto opened = openNamespaceDatabase(path("rollback.db"), DatabaseMode::Create);
    Database& database = **opened;
    {
      auto transaction = Transaction::begin(database);
      QVERIFY(database.run("INSERT INTO settings VALUES ('kept', 'yes')"));
      {
        auto savepoint = Savepoint::begin(database);
        QVERIFY(database.run("INSERT INTO settings VALUES ('gone', 'yes')"));
      }
      QVERIFY(transaction->commit());
    }
    {
      auto transaction = Transaction::begin(database);
      QVERIFY(database.run("INSERT INTO settings VALUES ('gone too', 'yes')"));
    }
    auto count = database.prepare("SELECT count(*), max(name) FROM settings");
    QVERIFY(*count->step());
    QCOMPARE(count->integer(0), 1);
    QCOMPARE(count->text(1), std::string("kept"));
    QCOMPARE(database.commitCount(), 1u);
  }

  void newerFormatIsRefusedWithBothNumbers() {
    {
      auto database = openBlocksDatabase(path("newer.db"), DatabaseMode::Create);
      QVERIFY((*database)->runScript("PRAGMA user_version=7"));
    }
    auto refused = openBlocksDatabase(path("newer.db"), DatabaseMode::MustExist);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::VersionTooNew);
    for (const char* part : {"newer.db", "7", "2", "newer Quarry"}) QVERIFY(refused.error().message.find(part) != std::string::npos);
  }

  void missingForeignAndDamagedFilesAreToldApart() {
    QCOMPARE(openNamespaceDatabase(path("missing.db"), DatabaseMode::MustExist).error().code, ErrorCode::Lost);
    QVERIFY(openBlocksDatabase(path("blocks.db"), DatabaseMode::Create));
    QCOMPARE(openNamespaceDatabase(path("blocks.db"), DatabaseMode::MustExist).error().code, ErrorCode::Corrupt);
    QFile file(QString::fromStdString(path("damaged.db")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(8192, 'x'));
    file.close();
    auto damaged = openNamespaceDatabase(path("damaged.db"), DatabaseMode::Create);
    QCOMPARE(damaged.error().code, ErrorCode::Corrupt);
    QVERIFY(damaged.error().message.find("damaged.db") != std::string::npos);
  }

  void fullDiskIsNoSpace() {
    const std::string mountPoint = path("small");
    ::mkdir(mountPoint.c_str(), 0700);
    if (::geteuid() != 0 || ::mount("tmpfs", mountPoint.c_str(), "tmpfs", 0, "size=1m") != 0) QSKIP("needs root to mount a small tmpfs");
    Result<void> written;
    {
      auto database = openHistoryDatabase(mountPoint + "/history.db", DatabaseMode::Create);
      QVERIFY(database);
      const std::vector<std::byte> large(2'000'000);
      written = (*database)->run("INSERT INTO rings VALUES ('large', ?)", Bytes(large));
      QVERIFY(!(*database)->isInTransaction());
      QVERIFY((*database)->run("INSERT INTO rings VALUES ('small', x'00')"));
    }
    ::umount(mountPoint.c_str());
    QVERIFY(!written);
    QCOMPARE(written.error().code, ErrorCode::NoSpace);
  }

 private:
  std::string path(const char* name) const { return m_folder.path().toStdString() + "/" + name; }
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(DatabaseTest)
#include "database_test.moc"
