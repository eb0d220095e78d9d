// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/job.h"

#include <QTest>
#include <asio/io_context.hpp>

using namespace quarry;

class JobTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void contextFillsTheDescription() {
    asio::io_context io;
    JobContext context(4, io.get_executor());
    context.progress.bytesTotal = 100;
    context.progress.bytesDone = 40;
    context.progress.freedBytes += 7;
    context.setCurrentFile("a/b.vmdk");
    context.note("skipped x: open");
    protocol::JobInfo info;
    context.fill(info);
    QVERIFY(info.bytesTotal == 100 && info.bytesDone == 40 && info.freedBytes == 7);
    QCOMPARE(info.currentFile, std::string("a/b.vmdk"));
    QVERIFY(info.notes == std::vector<std::string>{"skipped x: open"});
  }

  void notesAreBounded() {
    asio::io_context io;
    JobContext context(4, io.get_executor());
    for (int i = 0; i < 150; ++i) context.note("note " + std::to_string(i));
    protocol::JobInfo info;
    context.fill(info);
    QCOMPARE(info.notes.size(), JobContext::linesMax);
    QCOMPARE(info.notes.front(), std::string("note 0"));
    QCOMPARE(info.notes.back(), std::string("and 101 more"));
    QCOMPARE(info.problemCount, uint64_t{0});
  }

  void problemsStayWhateverIsNoted() {
    asio::io_context io;
    JobContext context(4, io.get_executor());
    for (int i = 0; i < 150; ++i) context.note("note " + std::to_string(i));
    for (int i = 0; i < 60; ++i) context.problem("segment " + std::to_string(i));
    protocol::JobInfo info;
    context.fill(info);
    context.fill(info);  // as often as somebody looks
    QCOMPARE(info.problemCount, uint64_t{60});
    QCOMPARE(info.notes.size(), 2 * JobContext::linesMax);
    QCOMPARE(info.notes.front(), std::string("problem: segment 0"));
    QCOMPARE(info.notes[JobContext::linesMax - 1], std::string("problem: and 11 more"));
    QCOMPARE(info.notes[JobContext::linesMax], std::string("note 0"));
  }

  void stopIsSeenByTheToken() {
    asio::io_context io;
    JobContext context(4, io.get_executor());
    const std::stop_token token = context.stopToken();
    QVERIFY(!token.stop_requested());
    context.requestStop();
    QVERIFY(token.stop_requested());
  }
};

QTEST_GUILESS_MAIN(JobTest)
#include "job_test.moc"
