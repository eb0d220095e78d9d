// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/store_probe.h"

#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace quarry::os;

namespace {
const ProbeCheck* find(const StoreProbe& probe, const std::string& name) {
  for (const ProbeCheck& check : probe.checks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

void touch(const QString& path) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
}

void print(const StoreProbe& probe) {
  for (const ProbeCheck& check : probe.checks) qInfo("%d %s: %s", static_cast<int>(check.outcome), check.name.c_str(), check.sentence.c_str());
}
}  // namespace

class StoreProbeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyCheckHasAResultAndASentence() {
    const QTemporaryDir folder;
    const StoreProbe probe = probeStore(folder.path().toStdString());
    print(probe);
    QCOMPARE(probe.checks.size(), 9u);
    for (const ProbeCheck& check : probe.checks) QVERIFY(check.sentence.ends_with("."));
    QVERIFY(QDir(folder.path()).isEmpty());
    QCOMPARE(probe.isUsable(), probe.failures().empty());
    if (probe.isUsable()) QVERIFY(probe.writeBytesPerSecond > 0 && probe.freeBytes > 0);
  }

  // Whatever /dev/shm supports here: the answer must be whole, and nothing may stay behind.
  void tmpfsGetsAnAnswer() {
    const QTemporaryDir folder(QStringLiteral("/dev/shm/quarry-probe-test-XXXXXX"));
    if (!folder.isValid()) QSKIP("no /dev/shm here");
    const StoreProbe probe = probeStore(folder.path().toStdString());
    print(probe);
    QCOMPARE(probe.isUsable(), probe.failures().empty());
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void missingFoldersAreMadeOnlyForTheProbe() {
    const QTemporaryDir folder;
    const StoreProbe probe = probeStore(folder.path().toStdString() + "/new/store");
    QCOMPARE(find(probe, "folder")->outcome, ProbeOutcome::Passed);
    QCOMPARE(find(probe, "writable")->outcome, ProbeOutcome::Passed);
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void anotherProgramsFolderIsRefused() {
    const QTemporaryDir folder;
    touch(folder.filePath(QStringLiteral("holiday.jpg")));
    const StoreProbe probe = probeStore(folder.path().toStdString());
    QVERIFY(!probe.isUsable());
    QCOMPARE(find(probe, "ours")->outcome, ProbeOutcome::Failed);
    QVERIFY(probe.failures().find("holiday.jpg") != std::string::npos);
    QCOMPARE(find(probe, "speed")->outcome, ProbeOutcome::Skipped);
  }

  void anInterruptedCreationIsNoStrangersFolder() {
    const QTemporaryDir folder;
    for (const char* name : {"lock", "namespace.db", "namespace.db-wal", "quarry.json.new"}) touch(folder.filePath(QLatin1String(name)));
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("landing")));
    QCOMPARE(find(probeStore(folder.path().toStdString()), "ours")->outcome, ProbeOutcome::Failed);  // perhaps a store that lost its quarry.json
    touch(folder.filePath(QStringLiteral("creating")));
    const StoreProbe probe = probeStore(folder.path().toStdString());
    QCOMPARE(find(probe, "ours")->outcome, ProbeOutcome::Passed);
    QVERIFY(!probe.isExistingStore);
    touch(folder.filePath(QStringLiteral("holiday.jpg")));
    QCOMPARE(find(probeStore(folder.path().toStdString()), "ours")->outcome, ProbeOutcome::Failed);
  }

  void anExistingStoreIsRecognised() {
    const QTemporaryDir folder;
    touch(folder.filePath(QStringLiteral("quarry.json")));
    touch(folder.filePath(QStringLiteral("namespace.db")));
    const StoreProbe probe = probeStore(folder.path().toStdString());
    QVERIFY(probe.isExistingStore);
    QCOMPARE(find(probe, "ours")->outcome, ProbeOutcome::Passed);
  }

  void badPathsAreRefusedWithAReason() {
    QVERIFY(!probeStore("relative/store").isUsable());
    QVERIFY(!probeStore("").isUsable());
    const StoreProbe file = probeStore("/dev/null");
    QCOMPARE(find(file, "folder")->outcome, ProbeOutcome::Failed);
    QVERIFY(!probeStore("/proc/quarry").isUsable());
  }
};

QTEST_GUILESS_MAIN(StoreProbeTest)
#include "store_probe_test.moc"
