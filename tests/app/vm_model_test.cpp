// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/vm_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "app/models/roles.h"
#include "app/models/stat_history.h"
#include "tests/support/demo_data.h"

using namespace quarry;
using Column = VmModel::Column;

class VmModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void demoPassesTheTester() {
    StatHistory history;
    VmModel model(history);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const test::DemoData demo = test::makeDemoData(1);
    QCOMPARE(demo.vms.size(), size_t{35});
    model.replace(demo.vms);
    QCOMPARE(model.rowCount(), 35);
    for (int column = 0; column < model.columnCount(); ++column) {
      QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
      QVERIFY(!model.index(0, column).data().toString().isEmpty());
    }
    model.replace({demo.vms.begin() + 5, demo.vms.end() - 5});
    QCOMPARE(model.rowCount(), 25);
  }

  void sameNameInTwoVstoragesIsTwoRows() {
    StatHistory history;
    VmModel model(history);
    protocol::VmInfo one, two;
    one.name = two.name = "web";
    one.vstorage = "a";
    two.vstorage = "b";
    model.replace({one, two});
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(model.find(QStringLiteral("b"), QStringLiteral("web")) != nullptr);
    QCOMPARE(model.index(1, 0).data(IdRole).toString(), QStringLiteral("b/web"));
  }

  void samplesMoveOnlyTheirRows() {
    StatHistory history;
    VmModel model(history);
    model.replace(test::makeDemoData(1).vms);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    const protocol::VmInfo vm = model.rows()[7];
    const std::string prefix = "vm/" + vm.vstorage + "/" + vm.name + "/";
    model.apply({.unixMs = 1,
                 .values = {{prefix + "read/iops", 30}, {prefix + "write/iops", 10}, {prefix + "read/io-size", 8192}, {prefix + "write/io-size", 4096}}});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.at(0).at(0).toModelIndex().row(), 7);
    const auto value = [&](Column column) { return model.index(7, static_cast<int>(column)).data(ValueRole).toDouble(); };
    QCOMPARE(value(Column::Iops), 40.0);
    QCOMPARE(value(Column::ReadIops), 30.0);
    QCOMPARE(value(Column::IoSize), 7168.0);
    model.apply({.unixMs = 2, .values = {{prefix + "read/iops", 30}}});
    QCOMPARE(changed.count(), 1);
  }

  void sparklineIsReadPlusWrite() {
    StatHistory history;
    VmModel model(history);
    protocol::VmInfo vm;
    vm.vstorage = "a";
    vm.name = "web";
    model.replace({vm});
    const QModelIndex cell = model.index(0, static_cast<int>(Column::Iops));
    QVERIFY(cell.data(RingRole).value<QList<double>>().isEmpty());
    history.append({.unixMs = 10'000, .values = {{"vm/a/web/read/iops", 3}, {"vm/a/web/write/iops", 4}}});
    history.append({.unixMs = 12'000, .values = {{"vm/a/web/read/iops", 5}, {"vm/a/web/write/iops", 6}}});
    const QList<double> ring = cell.data(RingRole).value<QList<double>>();
    QCOMPARE(ring.size(), 300);
    QCOMPARE(ring.at(299), 11.0);
    QVERIFY(std::isnan(ring.at(298)));
    QCOMPARE(ring.at(297), 7.0);
    QVERIFY(!model.index(0, 0).data(RingRole).isValid());
  }
};

QTEST_GUILESS_MAIN(VmModelTest)
#include "vm_model_test.moc"
