// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/mount_command.h"

#include <QProcess>
#include <QtTest>

using namespace quarry;

class MountCommandTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void plainNames() {
    const MountTarget target{.host = QStringLiteral("10.0.0.5"), .nfsPort = 2049, .vstorage = QStringLiteral("lab1")};
    QCOMPARE(esxiMountCommand(target).text, QStringLiteral("esxcli storage nfs add -H 10.0.0.5 -s /lab1 -v lab1"));
    QCOMPARE(linuxMountCommand(target).text,
             QStringLiteral("mkdir -p /mnt/lab1 && mount -t nfs -o vers=3,proto=tcp,port=2049,mountport=2049,nolock,hard 10.0.0.5:/lab1 /mnt/lab1"));
    QCOMPARE(proxmoxMountCommand(target).text, QStringLiteral("pvesm add nfs lab1 --server 10.0.0.5 --export /lab1 --options "
                                                              "vers=3,proto=tcp,port=2049,mountport=2049,nolock --content images"));
  }

  void esxiNeedsTheStandardPortAndAShortName() {
    MountTarget target{.host = QStringLiteral("10.0.0.5"), .nfsPort = 2050, .vstorage = QStringLiteral("lab1")};
    QVERIFY(esxiMountCommand(target).text.isEmpty());
    QVERIFY(esxiMountCommand(target).problem.contains(QStringLiteral("2050")));
    target = {.host = target.host, .nfsPort = 2049, .vstorage = QString(esxiNameLengthMax + 1, QLatin1Char('a'))};
    QVERIFY(esxiMountCommand(target).text.isEmpty());
    QVERIFY(esxiMountCommand(target).problem.contains(QStringLiteral("42")));
    QVERIFY(!linuxMountCommand(target).text.isEmpty());
  }

  void proxmoxNeedsAStorageId() {
    for (const char* bad : {"1st", "vs-", "_a", "a"}) {
      const MountCommand command = proxmoxMountCommand({.host = QStringLiteral("10.0.0.5"), .nfsPort = 2049, .vstorage = QLatin1String(bad)});
      QVERIFY2(command.text.isEmpty() && !command.problem.isEmpty(), bad);
    }
  }

  void withoutAnAddressThereIsAReason() {
    const MountTarget target{.host = {}, .nfsPort = 2049, .vstorage = QStringLiteral("lab1")};
    for (const MountCommand& command : {esxiMountCommand(target), linuxMountCommand(target), proxmoxMountCommand(target)}) {
      QVERIFY(command.text.isEmpty());
      QVERIFY(command.problem.contains(QStringLiteral("Settings")));
    }
  }

  void ipv6IsBracketedForLinux() {
    const MountTarget target{.host = QStringLiteral("fd00::5"), .nfsPort = 2049, .vstorage = QStringLiteral("lab1")};
    QVERIFY(linuxMountCommand(target).text.contains(QStringLiteral("'[fd00::5]:/lab1'")));
  }

  // The shell itself is asked what it would pass on.
  void quotingSurvivesTheShell_data() {
    QTest::addColumn<QString>("argument");
    for (const char* argument : {"lab1", "two words", "it's", "$(reboot)", "`reboot`", "a;b", "a\nb", "*", "\"", "\\", "", "ütf-8 ✓", "~root", "[a]"})
      QTest::newRow(argument) << QString::fromUtf8(argument);
  }
  void quotingSurvivesTheShell() {
    QFETCH(QString, argument);
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("printf %s ") + shellQuoted(argument)});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), argument);
  }
};

QTEST_GUILESS_MAIN(MountCommandTest)
#include "mount_command_test.moc"
