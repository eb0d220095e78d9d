// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/job_event.h"

#include <QTest>

using namespace quarry;
using protocol::JobState;
using protocol::Severity;

class JobEventTest : public QObject {
  Q_OBJECT

  static protocol::JobInfo ended(JobState state) {
    protocol::JobInfo job;
    job.state = state;
    job.notes = {"412 files excluded by .lck*"};
    return job;
  }

 private Q_SLOTS:
  void routineIsOneQuietLine() {
    protocol::JobInfo job = ended(JobState::Done);
    job.freedBytes = 3 << 20;
    QVERIFY(eventOf(job).severity == Severity::Info);
    QCOMPARE(eventOf(job).text, std::string("optimize done, 3 MiB freed"));
  }
  void problemsAreAWarning() {
    protocol::JobInfo job = ended(JobState::Done);
    job.problemCount = 2;
    QVERIFY(eventOf(job).severity == Severity::Warning);
    QCOMPARE(eventOf(job).text, std::string("optimize done, 2 problems (in the job's report)"));
  }
  void failureIsAnError() {
    protocol::JobInfo job = ended(JobState::Failed);
    job.error = "the disk is full";
    job.problemCount = 1;
    QVERIFY(eventOf(job).severity == Severity::Error);
    QCOMPARE(eventOf(job).text, std::string("optimize failed: the disk is full, 1 problem (in the job's report)"));
  }
};

QTEST_GUILESS_MAIN(JobEventTest)
#include "job_event_test.moc"
