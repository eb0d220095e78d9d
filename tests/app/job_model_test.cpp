// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/job_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include "app/models/roles.h"
#include "tests/support/demo_data.h"

using namespace quarry;
using protocol::JobInfo;
using protocol::JobState;
using Column = JobModel::Column;

namespace {
JobInfo job(int64_t id, JobState state) {
  JobInfo made;
  made.id = id;
  made.state = state;
  return made;
}
}  // namespace

class JobModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void demoPassesTheTester() {
    JobModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.replace(test::makeDemoData(1).jobs);
    QCOMPARE(model.rowCount(), 3);
    for (int i = 0; i < model.columnCount(); ++i) QVERIFY(!model.headerData(i, Qt::Horizontal).toString().isEmpty());
    QCOMPARE(model.running()->id, int64_t{13});
    const auto text = [&](int row, Column column) { return model.index(row, static_cast<int>(column)).data().toString(); };
    QCOMPARE(text(2, Column::Progress), QStringLiteral("42 %"));
    QCOMPARE(text(2, Column::TimeLeft), QStringLiteral("6 min"));
    QCOMPARE(text(0, Column::Target), QStringLiteral("all vstorages"));
    QVERIFY(text(0, Column::Rate).isEmpty());
    QVERIFY(!text(1, Column::Error).isEmpty());
  }

  void notificationsChangeOneRow() {
    JobModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted), changed(&model, &QAbstractItemModel::dataChanged);
    JobInfo running = job(5, JobState::Running);
    model.put(running);
    QCOMPARE(inserted.count(), 1);
    QVERIFY(jobProgress(running) < 0);
    running.bytesTotal = 200;
    running.bytesDone = 100;
    model.put(running);
    model.put(running);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.index(0, 0).data(ProgressRole).toDouble(), 0.5);
    QCOMPARE(model.index(0, 0).data(StateRole).toInt(), static_cast<int>(JobState::Running));
    running.state = JobState::Done;
    model.put(running);
    QVERIFY(model.running() == nullptr);
    QVERIFY(model.find(5) != nullptr && model.find(6) == nullptr);
  }

  void historyIsBoundedAndKeepsWhatRuns() {
    JobModel model;
    model.put(job(1, JobState::Running));
    for (int i = 2; i <= JobModel::rowsMax + 5; ++i) model.put(job(i, JobState::Done));
    QCOMPARE(model.rowCount(), JobModel::rowsMax);
    QVERIFY(model.find(1) != nullptr);
    QVERIFY(model.find(2) == nullptr);
  }

  void everyTypeAndStateHasAText() {
    for (int i = 0; i <= static_cast<int>(protocol::JobType::Estimate); ++i) QVERIFY(!jobTypeText(static_cast<protocol::JobType>(i)).isEmpty());
    for (int i = 0; i <= static_cast<int>(JobState::Cancelled); ++i) QVERIFY(!jobStateText(static_cast<JobState>(i)).isEmpty());
  }

  void theRunningJobComesBeforeThoseThatWait() {
    JobModel model;
    protocol::JobInfo running, queued, later;
    running.id = 5;
    running.state = protocol::JobState::Running;
    queued.id = 6;
    later.id = 7;
    queued.state = later.state = protocol::JobState::Queued;
    model.replace({queued, later, running});
    QCOMPARE(model.running()->id, 5);
    QCOMPARE(model.waitingCount(), 2);
    running.state = protocol::JobState::Done;
    model.put(running);
    QCOMPARE(model.running()->id, 6);
    QCOMPARE(model.waitingCount(), 1);
  }
};

QTEST_GUILESS_MAIN(JobModelTest)
#include "job_model_test.moc"
