// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store_folder.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/base/clock.h"

namespace quarry::test {

class StoreFolderTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void makesANewStore();
  void finishesAnInterruptedCreation();
  void removesNothingOfAStore();
  void aStoreMadeMeanwhileIsNotMadeAgain();
  void anUnusableFolderStaysAsItWas();

 private:
  static os::StoreProbe usable(const std::string&) { return {}; }
  void touch(const QString& name) {
    QFile file(m_dir->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
  }
  bool has(const QString& name) const { return QFile::exists(m_dir->filePath(name)); }
  std::string path() const { return m_dir->path().toStdString(); }

 private Q_SLOTS:
  void init() { m_dir = std::make_unique<QTemporaryDir>(); }

 private:
  std::unique_ptr<os::FileSystem> m_files = os::makePosixFileSystem();
  std::unique_ptr<QTemporaryDir> m_dir;
  SystemClock m_clock;
};

void StoreFolderTest::makesANewStore() {
  {
    auto folder = StoreFolder::open(*m_files, path(), usable);
    QVERIFY(folder && folder->isNew() && has(QStringLiteral("creating")) && has(QStringLiteral("landing")));
    QCOMPARE(StoreFolder::open(*m_files, path(), usable).error().code, ErrorCode::Locked);
    QVERIFY(folder->finishCreation(m_clock));
    QVERIFY(has(QStringLiteral("quarry.json")) && !has(QStringLiteral("creating")));
  }
  const auto again = StoreFolder::open(*m_files, path(), usable);
  QVERIFY(again && !again->isNew());
}

// The engine was killed at any step before quarry.json.
void StoreFolderTest::finishesAnInterruptedCreation() {
  QVERIFY(StoreFolder::open(*m_files, path(), usable));
  for (const char* name : {"namespace.db", "namespace.db-wal", "blocks.db"}) touch(QLatin1String(name));
  auto folder = StoreFolder::open(*m_files, path());  // the real probe
  QVERIFY2(folder, folder ? "" : folder.error().message.c_str());
  QVERIFY(folder->isNew() && !has(QStringLiteral("namespace.db")) && !has(QStringLiteral("namespace.db-wal")) && !has(QStringLiteral("blocks.db")));
  QVERIFY(folder->finishCreation(m_clock));
}

// Killed between quarry.json and the end of creation: it is a store, and stays one.
void StoreFolderTest::removesNothingOfAStore() {
  QVERIFY(StoreFolder::open(*m_files, path(), usable)->finishCreation(m_clock));
  for (const char* name : {"namespace.db", "creating"}) touch(QLatin1String(name));
  const auto folder = StoreFolder::open(*m_files, path(), usable);
  QVERIFY(folder && !folder->isNew() && has(QStringLiteral("namespace.db")) && !has(QStringLiteral("creating")));
}

// By another engine, while this one probed the disk.
void StoreFolderTest::aStoreMadeMeanwhileIsNotMadeAgain() {
  std::array<std::byte, 32> key{};
  const auto folder = StoreFolder::open(*m_files, path(), [&](const std::string&) {
    key = createStoreConfig(*m_files, path(), m_clock)->key;
    touch(QStringLiteral("namespace.db"));
    return os::StoreProbe();
  });
  QVERIFY(folder && !folder->isNew() && folder->config().key == key && has(QStringLiteral("namespace.db")));
}

void StoreFolderTest::anUnusableFolderStaysAsItWas() {
  touch(QStringLiteral("holiday.jpg"));
  const auto folder = StoreFolder::open(*m_files, path());
  QVERIFY(!folder && folder.error().code == ErrorCode::NotSupported);
  QCOMPARE(QDir(m_dir->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{QStringLiteral("holiday.jpg")});
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::StoreFolderTest)
#include "store_folder_test.moc"
