// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/event_model.h"

#include <QAbstractItemModelTester>
#include <QtTest>

#include "app/models/roles.h"
#include "tests/support/demo_data.h"

using namespace quarry;

class EventModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void demoPassesTheTester() {
    EventModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.replace(test::makeDemoData(1).events);
    QCOMPARE(model.rowCount(), 4);
    for (int i = 0; i < model.columnCount(); ++i) {
      QVERIFY(!model.headerData(i, Qt::Horizontal).toString().isEmpty());
      QVERIFY(!model.index(0, i).data().toString().isEmpty());
    }
    QCOMPARE(model.index(2, 0).data(StateRole).toInt(), static_cast<int>(protocol::Severity::Error));
  }

  void anEventHeardTwiceIsOneRow() {
    EventModel model;
    protocol::Event event;
    event.id = 7;
    model.put(event);
    model.put(event);
    model.replace({event});
    QCOMPARE(model.rowCount(), 1);
  }

  void theOldestGoFirst() {
    EventModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<protocol::Event> many(EventModel::rowsMax + 100);
    for (size_t i = 0; i < many.size(); ++i) many[i].id = static_cast<int64_t>(many.size() - i);
    model.replace(many);
    QCOMPARE(model.rowCount(), EventModel::rowsMax);
    QCOMPARE(model.index(0, 0).data(IdRole).toLongLong(), 101);
    protocol::Event event;
    event.id = 1'000'000;
    model.put(event);
    QCOMPARE(model.rowCount(), EventModel::rowsMax);
    QCOMPARE(model.index(0, 0).data(IdRole).toLongLong(), 102);
  }

  void unsavedEventsAreKeptApartAndInTime() {
    EventModel model;
    protocol::Event saved, first, second;
    saved.id = 9;
    saved.at = "2026-11-30T10:00:00Z";
    first.at = second.at = "2026-11-30T11:00:00Z";
    first.text = "read-only: the disk is full";
    second.text = "a sync failed";
    model.put(saved);
    model.put(first);
    model.put(second);
    QCOMPARE(model.rowCount(), 3);
    QVERIFY(model.index(0, 0).data(SortRole).toString() < model.index(1, 0).data(SortRole).toString());
    model.replace({saved});
    QCOMPARE(model.rowCount(), 3);
  }
};

QTEST_GUILESS_MAIN(EventModelTest)
#include "event_model_test.moc"
