// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/job_model.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "app/format/formatter.h"
#include "app/models/cell.h"
#include "app/models/roles.h"
#include "engine/protocol/job_state.h"

namespace quarry {
namespace {

using Column = JobModel::Column;
using protocol::JobInfo;
using protocol::JobState;
using protocol::JobType;
using protocol::Unit;

bool isNumber(Column column) {
  switch (column) {
    case Column::Type:
    case Column::Target:
    case Column::State:
    case Column::Started:
    case Column::Error: return false;
    case Column::Id:
    case Column::Progress:
    case Column::Rate:
    case Column::TimeLeft:
    case Column::Taken:
    case Column::Read:
    case Column::Duplicate:
    case Column::Stored:
    case Column::Freed: return true;
  }
  return false;
}

QVariant unitOf(Column column) {
  switch (column) {
    case Column::Type:
    case Column::Target:
    case Column::State:
    case Column::Started:
    case Column::Error: return {};
    case Column::Id: return cell::unit(Unit::Count);
    case Column::Progress: return cell::unit(Unit::Ratio);
    case Column::Rate: return cell::unit(Unit::BytesPerSecond);
    case Column::TimeLeft:
    case Column::Taken: return cell::unit(Unit::Seconds);
    case Column::Read:
    case Column::Duplicate:
    case Column::Stored:
    case Column::Freed: return cell::unit(Unit::Bytes);
  }
  return {};
}

QString whileActive(const JobInfo& job, const QString& text) { return jobHasEnded(job) ? QString() : text; }

}  // namespace

QString jobTypeText(JobType type) {
  switch (type) {
    case JobType::Optimize: return JobModel::tr("Optimization");
    case JobType::GarbageCollection: return JobModel::tr("Garbage collection");
    case JobType::Scrub: return JobModel::tr("Scrub");
    case JobType::Rehydrate: return JobModel::tr("Rehydration");
    case JobType::Estimate: return JobModel::tr("Estimate");
  }
  return {};
}

QString jobVerb(JobType type, const QString& target) {
  switch (type) {
    case JobType::Optimize: return JobModel::tr("Optimize %1").arg(target);
    case JobType::GarbageCollection: return JobModel::tr("Collect garbage of %1").arg(target);
    case JobType::Scrub: return JobModel::tr("Scrub %1").arg(target);
    case JobType::Rehydrate: return JobModel::tr("Rehydrate %1").arg(target);
    case JobType::Estimate: return JobModel::tr("Estimate %1").arg(target);
  }
  return {};
}

QString jobStateText(JobState state) {
  switch (state) {
    case JobState::Queued: return JobModel::tr("waiting");
    case JobState::Running: return JobModel::tr("running");
    case JobState::Paused: return JobModel::tr("paused");
    case JobState::Done: return JobModel::tr("done");
    case JobState::Failed: return JobModel::tr("failed");
    case JobState::Cancelled: return JobModel::tr("cancelled");
  }
  return {};
}

QString jobTarget(const JobInfo& job) {
  QStringList parts;
  for (const std::string* part : {&job.vstorage, &job.vm, &job.path})
    if (!part->empty()) parts << QString::fromStdString(*part);
  return parts.isEmpty() ? JobModel::tr("all vstorages") : parts.join(QStringLiteral(" / "));
}

bool jobHasEnded(const JobInfo& job) {
  return protocol::hasEnded(job.state);
}

double jobProgress(const JobInfo& job) {
  if (job.state == JobState::Done) return 1;
  if (job.bytesTotal == 0) return -1;
  return std::min(1.0, static_cast<double>(job.bytesDone) / static_cast<double>(job.bytesTotal));
}

int JobModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant JobModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const JobInfo& row = rows()[static_cast<size_t>(index.row())];
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return display(row, column);
    case Qt::ToolTipRole: return column == Column::Error ? QVariant(QString::fromStdString(row.error)) : QVariant();
    case Qt::TextAlignmentRole: return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
    case SortRole:
    case ValueRole: return value(row, column);
    case UnitRole: return unitOf(column);
    case IdRole: return static_cast<qlonglong>(row.id);
    case StateRole: return static_cast<int>(row.state);
    case ProgressRole: return jobProgress(row);
    default: return {};
  }
}

QVariant JobModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) return {};
  const auto column = static_cast<Column>(section);
  if (role == Qt::TextAlignmentRole) return isNumber(column) ? cell::numberAlignment() : cell::textAlignment();
  if (role != Qt::DisplayRole) return {};
  switch (column) {
    case Column::Id: return tr("No.");
    case Column::Type: return tr("Job");
    case Column::Target: return tr("For");
    case Column::State: return tr("State");
    case Column::Progress: return tr("Progress");
    case Column::Rate: return tr("Rate");
    case Column::TimeLeft: return tr("Time left");
    case Column::Started: return tr("Started");
    case Column::Taken: return tr("Taken");
    case Column::Read: return tr("Read");
    case Column::Duplicate: return tr("Duplicates");
    //: Column title: new data after compression.
    case Column::Stored: return tr("Stored");
    case Column::Freed: return tr("Freed");
    case Column::Error: return tr("Result");
  }
  return {};
}

void JobModel::replace(std::vector<JobInfo> jobs) {
  std::sort(jobs.begin(), jobs.end(), [](const JobInfo& a, const JobInfo& b) { return a.id < b.id; });
  if (jobs.size() > rowsMax) jobs.erase(jobs.begin(), jobs.end() - rowsMax);
  replaceRows(std::move(jobs));
}

void JobModel::put(const JobInfo& job) {
  putRow(job);
  if (rowCount() <= rowsMax) return;
  const auto oldest = std::find_if(rows().begin(), rows().end(), &jobHasEnded);
  if (oldest != rows().end()) removeRange(static_cast<int>(oldest - rows().begin()), 1);
}

const JobInfo* JobModel::find(qint64 id) const {
  const int at = rowOf(QString::number(id));
  return at < 0 ? nullptr : &rows()[static_cast<size_t>(at)];
}

const JobInfo* JobModel::running() const {
  const auto rank = [](JobState state) { return state == JobState::Running ? 0 : state == JobState::Paused ? 1 : 2; };
  const JobInfo* first = nullptr;
  for (const JobInfo& job : rows()) {
    if (jobHasEnded(job)) continue;
    if (first == nullptr || std::pair(rank(job.state), job.id) < std::pair(rank(first->state), first->id)) first = &job;
  }
  return first;
}

int JobModel::waitingCount() const {
  const auto left = std::count_if(rows().begin(), rows().end(), [](const JobInfo& job) { return !jobHasEnded(job); });
  return std::max(0, static_cast<int>(left) - 1);
}

QString JobModel::key(const JobInfo& row) const { return QString::number(row.id); }

QVariant JobModel::display(const JobInfo& row, Column column) const {
  switch (column) {
    case Column::Id: return QString::number(row.id);
    case Column::Type: return jobTypeText(row.type);
    case Column::Target: return jobTarget(row);
    case Column::State: return jobStateText(row.state);
    case Column::Progress: return jobProgress(row) < 0 ? QString() : formatter::percent(jobProgress(row));
    case Column::Rate: return whileActive(row, formatter::text(static_cast<double>(row.bytesPerSecond), Unit::BytesPerSecond));
    case Column::TimeLeft: return row.secondsLeft == 0 ? QString() : whileActive(row, formatter::duration(row.secondsLeft));
    case Column::Started: return formatter::time(QString::fromStdString(row.startedAt));
    case Column::Taken: return formatter::duration(row.secondsTaken);
    case Column::Read: return formatter::bytes(row.bytesDone);
    case Column::Duplicate: return formatter::bytes(row.duplicateBytes);
    case Column::Stored: return formatter::bytes(row.storedBytes);
    case Column::Freed: return formatter::bytes(row.freedBytes);
    case Column::Error: return QString::fromStdString(row.error);
  }
  return {};
}

QVariant JobModel::value(const JobInfo& row, Column column) const {
  switch (column) {
    case Column::Type:
    case Column::Target:
    case Column::State:
    case Column::Error: return display(row, column);
    case Column::Id: return static_cast<qlonglong>(row.id);
    case Column::Progress: return jobProgress(row);
    case Column::Rate: return cell::number(row.bytesPerSecond);
    case Column::TimeLeft: return cell::number(row.secondsLeft);
    case Column::Started: return QString::fromStdString(row.startedAt);
    case Column::Taken: return cell::number(row.secondsTaken);
    case Column::Read: return cell::number(row.bytesDone);
    case Column::Duplicate: return cell::number(row.duplicateBytes);
    case Column::Stored: return cell::number(row.storedBytes);
    case Column::Freed: return cell::number(row.freedBytes);
  }
  return {};
}

}  // namespace quarry
