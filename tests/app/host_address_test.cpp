// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/host_address.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace quarry;

class HostAddressTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void chosenThenListenedThenFirst() {
    QTemporaryDir folder;
    Settings settings(folder.path());
    protocol::EngineStatus status;
    status.nfsAddress = "0.0.0.0";
    QVERIFY(hostAddress(status, settings).isEmpty());
    status.hostAddresses = {"10.0.0.5", "192.168.1.5"};
    QCOMPARE(hostAddress(status, settings), QStringLiteral("10.0.0.5"));
    status.nfsAddress = "::";
    QCOMPARE(hostAddress(status, settings), QStringLiteral("10.0.0.5"));
    status.nfsAddress = "192.168.1.5";
    QCOMPARE(hostAddress(status, settings), QStringLiteral("192.168.1.5"));
    settings.set(Setting::HostAddress, QStringLiteral("store.example.org"));
    QCOMPARE(hostAddress(status, settings), QStringLiteral("store.example.org"));
  }
};

QTEST_GUILESS_MAIN(HostAddressTest)
#include "host_address_test.moc"
