// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/quarryctl/amount.h"
#include "app/quarryctl/commands.h"
#include "app/quarryctl/job_wait.h"
#include "app/quarryctl/option_checks.h"
#include "app/quarryctl/table.h"

namespace quarry::ctl {
namespace {

using protocol::JobInfo;
using protocol::JobState;
using protocol::JobType;

struct JobOptions {
  std::string type;
  std::string vstorage;
  std::string vm;
  std::string path;
  std::string minAge;
  bool wait = false;
};

std::string subjectText(const JobInfo& job) {
  std::string text = job.vstorage.empty() ? "everything" : job.vstorage;
  if (!job.vm.empty()) text += ", VM " + job.vm;
  if (!job.path.empty()) text += ", " + job.path;
  return text;
}

std::string jobText(const JobInfo& job) {
  std::vector<std::pair<std::string, std::string>> fields{
      {"job", std::to_string(job.id) + ", " + std::string(name(job.type)) + " of " + subjectText(job)},
      {"state", std::string(name(job.state)) + (job.error.empty() ? "" : ": " + job.error)},
      {"progress", progressText(job)},
      {"started", job.startedAt.empty() ? "-" : job.startedAt},
      {"ended", job.endedAt.empty() ? "-" : job.endedAt},
      {"took", ageText(job.secondsTaken)},
      {"looked at", sizeText(job.bytesDone) + " of " + sizeText(job.bytesTotal)},
      {"files", std::to_string(job.filesSeen) + " seen, " + std::to_string(job.filesSkipped) + " skipped"},
      {"segments skipped", std::to_string(job.segmentsSkipped)},
      {"zero", sizeText(job.zeroBytes)},
      {"duplicate", sizeText(job.duplicateBytes)},
      {"new", sizeText(job.newBytes) + ", stored as " + sizeText(job.storedBytes)},
      {"freed", sizeText(job.freedBytes)},
  };
  if (!job.currentFile.empty()) fields.emplace_back("working on", job.currentFile);
  for (const std::string& note : job.notes) fields.emplace_back("note", note);
  return fieldLines(fields);
}

std::string listText(const std::vector<JobInfo>& jobs) {
  using enum Table::Align;
  Table table({{"ID", Right}, {"TYPE"}, {"STATE"}, {"FOR"}, {"DONE", Right}, {"RATE", Right}, {"TOOK", Right}, {"STARTED"}, {"ERROR"}});
  for (const JobInfo& job : jobs) {
    const bool hasShare = job.bytesTotal > 0 && job.state != JobState::Queued;
    const std::string done = hasShare ? percentText(static_cast<double>(job.bytesDone) / static_cast<double>(job.bytesTotal)) : progressText(job);
    table.add({std::to_string(job.id), std::string(name(job.type)), std::string(name(job.state)), subjectText(job), done,
               rateText(static_cast<double>(job.bytesPerSecond)), ageText(job.secondsTaken), job.startedAt, job.error});
  }
  return table.text();
}

void followToEnd(Session& session, int64_t id) {
  const Result<JobInfo> job = waitForJob(session, id);
  if (!job) return session.refuse(job.error());
  session.json ? session.printJson(toJson(*job)) : Session::print(jobText(*job));
  if (job->state == JobState::Failed) session.refuse("job " + std::to_string(id) + " failed: " + job->error);
  if (job->state == JobState::Cancelled) session.refuse("job " + std::to_string(id) + " was cancelled");
}

void start(Session& session, const JobOptions& options) {
  const JobType type = valueOf<JobType>(options.type).value();
  if (type != JobType::Optimize) return session.refuse("job type '" + options.type + "' is not in this version; there is: optimize");
  const protocol::JobStart request{
      .type = type, .vstorage = options.vstorage, .vm = options.vm, .path = options.path, .minAgeSeconds = ageOf(options.minAge)};
  if (!options.wait) {
    return session.show<JobInfo>("job.start", toJson(request), [](const JobInfo& job) {
      const std::string number = std::to_string(job.id);
      return "job " + number + " " + std::string(name(job.state)) + "; follow it with: quarryctl job show " + number + "\n";
    });
  }
  const Result<std::string> reply = session.call("job.start", toJson(request));
  if (!reply) return session.refuse(reply.error());
  const Result<JobInfo> job = protocol::fromJson<JobInfo>(*reply);
  if (!job) return session.refuse(job.error());
  followToEnd(session, job->id);
}

void addStart(CLI::App& noun, Session& session) {
  CLI::App* verb = addVerb(noun, "start", "Start a job");
  const auto options = std::make_shared<JobOptions>();
  verb->add_option("TYPE", options->type, "What to do: optimize")->required()->check(checkName<JobType>);
  verb->add_option("--vstorage", options->vstorage, "Only this vstorage");
  verb->add_option("--vm", options->vm, "Only this VM");
  verb->add_option("--path", options->path, "Only this file or folder inside the vstorage");
  verb->add_option("--min-age", options->minAge, "Instead of the policy's: 0, 90s, 2h, 7d")->check(checkAge);
  verb->add_flag("--wait", options->wait, "Wait for its end and show progress; exit status 1 if it fails");
  verb->callback([options, &session] { start(session, *options); });
}

void addById(CLI::App& noun, Session& session, const char* verbName, const char* text, const char* method) {
  CLI::App* verb = addVerb(noun, verbName, text);
  const auto request = std::make_shared<protocol::JobRequest>();
  verb->add_option("ID", request->id, "Number of the job")->required();
  verb->callback([request, &session, method] { session.show<JobInfo>(method, toJson(*request), jobText); });
}

}  // namespace

void addJobCommand(CLI::App& app, Session& session) {
  CLI::App* noun = addNoun(app, "job", "Long work of the engine");
  addStart(*noun, session);
  addVerb(*noun, "list", "Jobs that wait, run and ended, newest first")->callback([&session] {
    session.show<std::vector<JobInfo>>("job.list", "null", listText);
  });
  addById(*noun, session, "show", "Everything about one", "job.show");
  addById(*noun, session, "cancel", "Stop one; what it did stays valid", "job.cancel");
}

}  // namespace quarry::ctl
