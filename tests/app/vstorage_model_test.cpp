// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/vstorage_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QtTest>

#include "app/models/roles.h"
#include "tests/support/demo_data.h"

using namespace quarry;
using Column = VstorageModel::Column;

namespace {
protocol::VstorageInfo named(const std::string& name, uint64_t logicalBytes = 0) {
  protocol::VstorageInfo vstorage;
  vstorage.name = name;
  vstorage.savings = test::demoSavings(logicalBytes, 0.5, 0.5, 0.5, 0);
  return vstorage;
}
}  // namespace

class VstorageModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void refreshIsExact() {
    VstorageModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted), removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), reset(&model, &QAbstractItemModel::modelReset);
    model.replace({named("a"), named("b"), named("c"), named("d")});
    QCOMPARE(inserted.count(), 1);
    model.replace({named("a"), named("b"), named("c"), named("d")});
    QCOMPARE(changed.count(), 0);
    model.replace({named("d"), named("a", 4096), named("e"), named("e")});
    QCOMPARE(removed.count(), 1);
    QCOMPARE(removed.at(0).at(1).toInt(), 1);
    QCOMPARE(removed.at(0).at(2).toInt(), 2);
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.at(0).at(0).toModelIndex().row(), 0);
    QCOMPARE(model.rowCount(), 3);
    model.replace({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(reset.count(), 0);
  }

  void cellsAndRoles() {
    VstorageModel model;
    model.replace({named("lab1", 1000ull << 30)});
    const auto cell = [&](Column column) { return model.index(0, static_cast<int>(column)); };
    QCOMPARE(cell(Column::Name).data().toString(), QStringLiteral("lab1"));
    QCOMPARE(cell(Column::Clients).data().toString(), QStringLiteral("this machine only"));
    QCOMPARE(cell(Column::Logical).data().toString(), QStringLiteral("0.977 TiB"));
    QCOMPARE(cell(Column::Logical).data(ValueRole).toULongLong(), 1000ull << 30);
    QCOMPARE(cell(Column::Saved).data().toString(), QStringLiteral("75 %"));
    QCOMPARE(cell(Column::MinAge).data().toString(), QStringLiteral("1 h"));
    QCOMPARE(cell(Column::Saved).data(UnitRole).toInt(), static_cast<int>(protocol::Unit::Ratio));
    QVERIFY(cell(Column::Logical).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    QVERIFY(cell(Column::Name).data(Qt::TextAlignmentRole).toInt() & Qt::AlignLeft);
    QVERIFY(model.find(QStringLiteral("lab1")) != nullptr);
    QVERIFY(model.find(QStringLiteral("lab2")) == nullptr);
  }

  void everyColumnHasATitle() {
    const VstorageModel model;
    for (int i = 0; i < model.columnCount(); ++i) QVERIFY(!model.headerData(i, Qt::Horizontal).toString().isEmpty());
    QVERIFY(!model.headerData(model.columnCount(), Qt::Horizontal).isValid());
  }

  void sortsByTheRawValue() {
    VstorageModel model;
    QSortFilterProxyModel sorted;
    sorted.setSourceModel(&model);
    sorted.setSortRole(SortRole);
    model.replace({named("small", 900), named("large", 2ull << 40), named("middle", 5ull << 30)});
    sorted.sort(static_cast<int>(Column::Logical), Qt::DescendingOrder);
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("large"));
    QCOMPARE(sorted.index(2, 0).data().toString(), QStringLiteral("small"));
  }
};

QTEST_GUILESS_MAIN(VstorageModelTest)
#include "vstorage_model_test.moc"
