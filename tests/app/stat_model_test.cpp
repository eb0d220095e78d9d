// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/stat_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "app/models/roles.h"

using namespace quarry;

namespace {
protocol::StatDescription description(const std::string& id) {
  return {.id = id, .unit = protocol::Unit::PerSecond, .text = "what " + id + " is", .maximum = 9};
}
}  // namespace

class StatModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rolesCarryRawValues() {
    StatModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.replace({description("a"), description("b")});
    const QModelIndex cell = model.index(1, static_cast<int>(StatModel::Column::Value));
    QVERIFY(std::isnan(cell.data(ValueRole).toDouble()));
    QCOMPARE(cell.data().toString(), QStringLiteral("–"));
    model.apply({.unixMs = 1, .values = {{"b", 12.34}, {"unknown", 1}}});
    QCOMPARE(cell.data(ValueRole).toDouble(), 12.34);
    QCOMPARE(cell.data().toString(), QStringLiteral("12.3/s"));
    QCOMPARE(cell.data(UnitRole).toInt(), static_cast<int>(protocol::Unit::PerSecond));
    QCOMPARE(cell.data(MinRole).toDouble(), 0.0);
    QCOMPARE(cell.data(MaxRole).toDouble(), 9.0);
    QCOMPARE(cell.data(IdRole).toString(), QStringLiteral("b"));
    QVERIFY(cell.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
  }

  void valuesSurviveANewDescription() {
    StatModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.replace({description("a"), description("b"), description("c")});
    model.apply({.unixMs = 1, .values = {{"a", 1}, {"b", 2}, {"c", 3}}});
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.replace({description("c"), description("d"), description("a")});
    QCOMPARE(resets.count(), 0);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(0, 0).data(IdRole).toString(), QStringLiteral("a"));
    QCOMPARE(model.index(1, 1).data(ValueRole).toDouble(), 3.0);
    model.apply({.unixMs = 2, .values = {{"d", 4}}});
    QCOMPARE(model.index(2, 1).data(ValueRole).toDouble(), 4.0);
  }

  void neighboursAreOneSignal() {
    StatModel model;
    model.replace({description("a"), description("b"), description("c"), description("d")});
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.apply({.unixMs = 1, .values = {{"a", 1}, {"b", 2}, {"d", 3}}});
    QCOMPARE(changes.count(), 2);
    QCOMPARE(changes.at(0).at(1).toModelIndex().row(), 1);
    QCOMPARE(changes.at(1).at(0).toModelIndex().row(), 3);
  }
};

QTEST_GUILESS_MAIN(StatModelTest)
#include "stat_model_test.moc"
