// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/store_lock.h"

#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <optional>

using namespace quarry;
using quarry::os::StoreLock;

class StoreLockTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void secondEngineIsToldWhoHasTheStore() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    auto first = StoreLock::acquire(path);
    QVERIFY(first);
    auto second = StoreLock::acquire(path);
    QVERIFY(!second);
    QCOMPARE(second.error().code, ErrorCode::Locked);
    QVERIFY(second.error().message.find("process " + std::to_string(::getpid()) + ")") != std::string::npos);
    {
      const StoreLock released = std::move(*first);
    }
    QVERIFY(StoreLock::acquire(path));
  }

  void missingFolderIsAnError() { QCOMPARE(StoreLock::acquire("/nowhere/at/all").error().code, ErrorCode::NotFound); }
};

QTEST_GUILESS_MAIN(StoreLockTest)
#include "store_lock_test.moc"
