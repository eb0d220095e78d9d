// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/job_words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include "app/format/formatter.h"
#include "app/models/job_model.h"

namespace quarry {

namespace {

QString words(const char* text) { return QCoreApplication::translate("JobWords", text); }

QString timeLeft(const protocol::JobInfo& job) {
  return job.secondsLeft == 0 ? QString() : words("%1 left").arg(formatter::duration(job.secondsLeft));
}

QString progressText(const protocol::JobInfo& job) {
  if (job.state == protocol::JobState::Queued) return words("waiting to start");
  const double progress = jobProgress(job);
  return progress < 0 ? words("looking at what there is to do") : formatter::percent(progress);
}

QString joined(const QStringList& parts) {
  QStringList shown;
  for (const QString& part : parts) {
    if (!part.isEmpty()) shown << part;
  }
  return shown.join(QStringLiteral(" · "));
}

}  // namespace

QString jobTitle(const protocol::JobInfo& job) { return jobVerb(job.type, jobTarget(job)); }

QString jobNumbers(const protocol::JobInfo& job) {
  const QString rate = job.bytesPerSecond == 0 ? QString() : formatter::text(double(job.bytesPerSecond), protocol::Unit::BytesPerSecond);
  const QString amount =
      job.bytesTotal == 0 ? QString() : words("%1 of %2").arg(formatter::bytes(job.bytesDone), formatter::bytes(job.bytesTotal));
  return joined({progressText(job), amount, rate, timeLeft(job)});
}

QString waitingText(int count) {
  if (count == 0) return {};
  return count == 1 ? words("1 more is waiting") : words("%1 more are waiting").arg(count);
}

QString jobShort(const protocol::JobInfo& job) { return joined({jobTypeText(job.type) + u' ' + progressText(job), timeLeft(job)}); }

QString lastJobSentence(const JobModel& jobs) {
  const protocol::JobInfo* last = nullptr;
  for (const protocol::JobInfo& job : jobs.rows()) {
    if (jobHasEnded(job) && (last == nullptr || job.id > last->id)) last = &job;
  }
  if (last == nullptr) return words("Dedup has not run yet: Optimize now is on the Dedup page.");
  return words("Last: %1, %2 %3")
      .arg(jobTitle(*last), jobStateText(last->state),
           formatter::age(QString::fromStdString(last->endedAt), QDateTime::currentDateTimeUtc()));
}

QString jobReport(const protocol::JobInfo& job) {
  QStringList lines{jobTitle(job), words("State: %1").arg(jobStateText(job.state))};
  if (!job.error.empty()) lines << words("Reason: %1").arg(QString::fromStdString(job.error));
  const QString started = formatter::time(QString::fromStdString(job.startedAt));
  lines << (started.isEmpty() ? words("It was never started") : words("Started %1, took %2").arg(started, formatter::duration(job.secondsTaken)));
  lines << words("Read %1 in %2 files; skipped %3 files and %4 segments")
               .arg(formatter::bytes(job.bytesDone), formatter::count(job.filesSeen), formatter::count(job.filesSkipped),
                    formatter::count(job.segmentsSkipped));
  lines << words("Zero: %1").arg(formatter::bytes(job.zeroBytes));
  lines << words("Duplicate: %1").arg(formatter::bytes(job.duplicateBytes));
  lines << words("New: %1, stored as %2").arg(formatter::bytes(job.newBytes), formatter::bytes(job.storedBytes));
  lines << words("Disk space given back: %1").arg(formatter::bytes(job.freedBytes));
  for (const std::string& note : job.notes) lines << QString::fromStdString(note);
  return lines.join(u'\n');
}

}  // namespace quarry
