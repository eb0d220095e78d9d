// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/engine_target.h"

#include <QtTest>

using namespace quarry;

class EngineTargetTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void localIsTheDefault() {
    QVERIFY(parseEngineTarget(QStringLiteral("local")).value().kind == EngineTarget::Kind::Local);
    QVERIFY(parseEngineTarget({}).value().kind == EngineTarget::Kind::Local);
  }

  void aPathIsASocket() {
    const auto target = parseEngineTarget(QStringLiteral("/run/quarry/control.sock"));
    QVERIFY(target && target->kind == EngineTarget::Kind::Socket);
    QCOMPARE(target->socketPath, QStringLiteral("/run/quarry/control.sock"));
    QVERIFY(parseEngineTarget(QStringLiteral("./control.sock")).value().socketPath.startsWith(QLatin1Char('/')));
  }

  void refusals() {
    QCOMPARE(parseEngineTarget(QStringLiteral("ssh://root@host")).error().code, ErrorCode::NotSupported);
    QCOMPARE(parseEngineTarget(QStringLiteral("http://host/x")).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(parseEngineTarget(QStringLiteral("host")).error().code, ErrorCode::InvalidArgument);
  }
};

QTEST_GUILESS_MAIN(EngineTargetTest)
#include "engine_target_test.moc"
