// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/store_usage.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <string>
#include <vector>

#include "tests/support/manual_clock.h"
#include "tests/support/run_task.h"

using namespace quarry;

class StoreUsageTest : public QObject {
  Q_OBJECT

  std::unique_ptr<os::FileSystem> m_fileSystem = os::makePosixFileSystem();
  asio::thread_pool m_workers{1};
  ManualClock m_clock;

  static void write(const QString& path, qint64 bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(QByteArray(bytes, 'x')), bytes);
  }
  static uint64_t usedByDu(const QTemporaryDir& store) {
    QProcess du;
    du.start(QStringLiteral("du"), {QStringLiteral("-s"), QStringLiteral("--block-size=1"), store.path()});
    du.waitForFinished();
    return du.readAllStandardOutput().split('\t').first().toULongLong();
  }

 private Q_SLOTS:
  void agreesWithDu() {
    const QTemporaryDir store;
    for (const char* folder : {"containers", "journal", "landing/00", "landing/fe"}) QVERIFY(QDir(store.path()).mkpath(QLatin1String(folder)));
    write(store.filePath(QStringLiteral("namespace.db")), 70'000);
    write(store.filePath(QStringLiteral("containers/1.qc")), 1'000'000);
    write(store.filePath(QStringLiteral("landing/00/256")), 12'345);
    QFile sparse(store.filePath(QStringLiteral("landing/fe/254")));
    QVERIFY(sparse.open(QIODevice::WriteOnly) && sparse.resize(1'000'000'000));
    StoreUsage usage(*m_fileSystem, store.path().toStdString(), m_workers, m_clock);
    QCOMPARE(test::runTask(usage.bytes()), usedByDu(store));
  }

  void isCountedAgainOnlyWhenOld() {
    const QTemporaryDir store;
    StoreUsage usage(*m_fileSystem, store.path().toStdString(), m_workers, m_clock);
    const uint64_t empty = test::runTask(usage.bytes());
    write(store.filePath(QStringLiteral("blocks.db")), 50'000);
    m_clock.advance(StoreUsage::keepFor - std::chrono::milliseconds(1));
    QCOMPARE(test::runTask(usage.bytes()), empty);
    m_clock.advance(std::chrono::milliseconds(1));
    QVERIFY(test::runTask(usage.bytes()) >= empty + 50'000);
  }

  void missingFoldersCountAsNothing() {
    StoreUsage usage(*m_fileSystem, "/nonexistent", m_workers, m_clock);
    QCOMPARE(test::runTask(usage.bytes()), uint64_t{0});
  }
};

QTEST_GUILESS_MAIN(StoreUsageTest)
#include "store_usage_test.moc"
