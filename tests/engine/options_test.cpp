// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options.h"

#include <QTest>

using namespace quarry;

class OptionsTest : public QObject {
  Q_OBJECT

  static Options named() {
    Options options;
    options.storePath = "/store";
    return options;
  }
  static bool isRefused(const Options& options, const std::string& about) {
    const auto done = resolved(options);
    return !done && done.error().code == ErrorCode::InvalidArgument && done.error().message.find(about) != std::string::npos;
  }

 private Q_SLOTS:
  void machineFillsInTheRest() {
    const auto options = resolved(named());
    QVERIFY(options.has_value());
    QVERIFY(options->loopThreads >= 1 && options->loopThreads <= loopThreadsMax && options->workerThreads >= 1);
    QVERIFY(!options->controlSocket.empty());
  }
  void whatIsGivenStays() {
    Options options = named();
    options.loopThreads = 3;
    options.controlSocket = "/run/other.sock";
    QCOMPARE(resolved(options)->loopThreads, 3);
    QCOMPARE(resolved(options)->controlSocket, std::string("/run/other.sock"));
  }
  void limitsNameTheirOption() {
    QVERIFY(isRefused(Options(), "--store"));
    Options options = named();
    options.loopThreads = loopThreadsMax + 1;
    QVERIFY(isRefused(options, "--threads"));
    options = named();
    options.nfsPort = 65536;
    QVERIFY(isRefused(options, "--nfs-port"));
    options.nfsPort = -1;
    QVERIFY(isRefused(options, "--nfs-port"));
    options = named();
    options.listenAddress = "localhost";
    QVERIFY(isRefused(options, "--listen"));
    options.listenAddress = "::";
    QVERIFY(resolved(options).has_value());
  }
};

QTEST_GUILESS_MAIN(OptionsTest)
#include "options_test.moc"
