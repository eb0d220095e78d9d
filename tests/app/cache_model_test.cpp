// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/cache_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include "app/models/roles.h"
#include "tests/support/demo_data.h"

using namespace quarry;
using Column = CacheModel::Column;

namespace {

constexpr uint64_t mib = 1ull << 20;

protocol::CacheVstorage named(const std::string& name, protocol::WriteMode mode = protocol::WriteMode::Safe) {
  protocol::CacheVstorage vstorage;
  vstorage.name = name;
  vstorage.writeMode = mode;
  return vstorage;
}

protocol::CacheInfo withVstorages(std::vector<protocol::CacheVstorage> vstorages) {
  protocol::CacheInfo info;
  info.vstorages = std::move(vstorages);
  return info;
}

}  // namespace

class CacheModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void refreshIsExact() {
    CacheModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted), removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged), told(&model, &CacheModel::infoChanged);
    QVERIFY(!model.info());
    model.replace(withVstorages({named("a"), named("b")}));
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(told.count(), 1);
    model.replace(withVstorages({named("a"), named("b")}));
    QCOMPARE(told.count(), 1);
    QCOMPARE(changed.count(), 0);
    model.replace(withVstorages({named("b", protocol::WriteMode::Ram)}));
    QCOMPARE(removed.count(), 1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.find(QStringLiteral("b"))->writeMode, protocol::WriteMode::Ram);
    QVERIFY(model.find(QStringLiteral("a")) == nullptr);
  }

  void wordsSayWhatIsLost() {
    CacheModel model;
    protocol::CacheVstorage safe = named("s"), ram = named("r", protocol::WriteMode::Ram);
    safe.hitRatio = 0.887;
    ram.dirtyBytes = ram.unprotectedBytes = 38 * mib;
    ram.oldestUnprotectedSeconds = 4;
    model.replace(withVstorages({safe, ram}));
    const auto text = [&](int row, Column column) { return model.index(row, static_cast<int>(column)).data().toString(); };
    QCOMPARE(text(0, Column::PowerCut), QStringLiteral("nothing is lost"));
    QCOMPARE(text(0, Column::Unprotected), QStringLiteral("0 B"));
    QCOMPARE(text(0, Column::HitRatio), QStringLiteral("88.7 %"));
    QCOMPARE(text(0, Column::Absorbed), QStringLiteral("–"));
    QVERIFY(text(1, Column::PowerCut).contains(QStringLiteral("10 s")));
    QCOMPARE(text(1, Column::Unprotected), QStringLiteral("38 MiB, 4 s"));
    QVERIFY(model.index(1, static_cast<int>(Column::HitRatio)).data(SortRole).toDouble() < 0);
    QCOMPARE(model.index(1, 0).data(StateRole).toInt(), static_cast<int>(protocol::WriteMode::Ram));
  }

  void everyColumnHasATitle() {
    const CacheModel model;
    for (int i = 0; i < model.columnCount(); ++i) QVERIFY(!model.headerData(i, Qt::Horizontal).toString().isEmpty());
    QVERIFY(!model.headerData(model.columnCount(), Qt::Horizontal).isValid());
  }

  void theCurveIsTheEngines() {
    CacheModel model;
    QVERIFY(model.curve() == nullptr);
    QSignalSpy told(&model, &CacheModel::adviceChanged);
    const protocol::CacheAdvice advice{.curves = {test::demoCurve("", 0.97, mib), test::demoCurve("a", 0.5, mib)}};
    model.setAdvice(advice);
    model.setAdvice(advice);
    QCOMPARE(told.count(), 1);
    QVERIFY(model.curve() != nullptr && model.curve()->vstorage.empty());
  }
};

QTEST_GUILESS_MAIN(CacheModelTest)
#include "cache_model_test.moc"
