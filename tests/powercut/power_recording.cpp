// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/powercut/power_recording.h"

#include <algorithm>
#include <memory>

#include "engine/base/spawn.h"

namespace quarry::test {

namespace {

bool changesNames(OpKind kind) { return kind == OpKind::Create || kind == OpKind::Rename || kind == OpKind::Remove; }

template <class T>
Result<void> without(const Result<T>& result) {
  if (!result) return fail(result.error());
  return {};
}

Task<Result<void>> performCreate(PowerSite& site, PowerOp& op) {
  CreateRequest request;
  request.directory = site.vstorage().root();
  request.name = op.name;
  const auto created = co_await site.vstorage().create(PowerSite::caller, std::move(request));
  if (!created) co_return fail(created.error());
  op.fileid = created->inode.fileid;
  co_return Result<void>();
}

Task<Result<void>> performWrite(PowerSite& site, const PowerOp& op) {
  const std::vector<std::byte> data = contentOf(op);
  AlignedBuffer buffer(data.size());
  std::memcpy(buffer.data(), data.data(), data.size());
  const WriteRequest request{op.fileid, op.offset, buffer.bytes(), op.stability};
  const auto written = co_await site.vstorage().write(PowerSite::caller, request);
  if (!written) co_return fail(written.error());
  if (written->count != op.length) co_return fail(ErrorCode::Internal, "a short write");
  if (written->reached < op.stability) co_return fail(ErrorCode::Internal, "less stable than asked");
  co_return Result<void>();
}

Task<Result<void>> performSetSize(PowerSite& site, const PowerOp& op) {
  metadata::AttributeChange change;
  change.size = op.size;
  const auto changed = co_await site.vstorage().setAttributes(PowerSite::caller, op.fileid, std::move(change));
  co_return without(changed);
}

Task<Result<void>> performRename(PowerSite& site, const PowerOp& op) {
  const FileId root = site.vstorage().root();
  RenameRequest request{root, op.name, root, op.target};
  const auto renamed = co_await site.vstorage().rename(PowerSite::caller, std::move(request));
  co_return without(renamed);
}

Task<Result<void>> performRemove(PowerSite& site, const PowerOp& op) {
  const auto removed = co_await site.vstorage().remove(PowerSite::caller, site.vstorage().root(), op.name);
  co_return without(removed);
}

Task<Result<void>> performCommit(PowerSite& site, const PowerOp& op) {
  const auto committed = co_await site.vstorage().commit(PowerSite::caller, op.fileid, 0, 0);
  co_return without(committed);
}

Task<Result<void>> performRead(PowerSite& site, const PowerOp& op) {
  const auto read = co_await site.readFile(op.fileid);
  co_return without(read);
}

// A recording while it is made.
struct Recorder {
  PowerSite& site;
  PowerModel model;
  PowerRecording recording;
  std::set<metadata::FileId> busy;
  size_t underWay = 0;
  Result<void> outcome;
};

std::set<metadata::FileId> touchedBy(const PowerOp& op, const PowerModel& model) {
  std::set<metadata::FileId> files{op.fileid};
  for (const std::string& name : {op.name, op.target})
    if (const auto found = model.names().find(name); found != model.names().end()) files.insert(found->second);
  files.erase(0);
  if (op.kind == OpKind::Optimize) files.insert(theJob);
  // What it covers is what was answered when it began: nothing may be written meanwhile.
  if (op.kind == OpKind::SetMode || (op.kind == OpKind::Destage && model.mode() == protocol::WriteMode::Ram))
    for (const auto& [name, fileid] : model.names()) files.insert(fileid);
  if (changesNames(op.kind) || op.kind == OpKind::SetMode) files.insert(theFolder);
  return files;
}

// Nothing else touches the file meanwhile.
Task<Result<void>> compareNow(Recorder& recorder, metadata::FileId fileid) {
  const auto observed = co_await recorder.site.readFile(fileid);
  if (!observed) co_return fail(observed.error());
  if (const auto wrong = recorder.model.mismatchNow(*observed)) co_return fail(ErrorCode::Corrupt, "without a cut: " + *wrong);
  co_return Result<void>();
}

Task<void> performRecorded(Recorder& recorder, size_t number) {
  PowerOp op = recorder.recording.ops[number];
  recorder.site.disk().mark(2 * number);
  auto done = co_await perform(recorder.site, op);
  recorder.site.disk().mark(2 * number + 1);
  if (done && op.kind == OpKind::Read) done = co_await compareNow(recorder, op.fileid);
  for (const metadata::FileId fileid : touchedBy(recorder.recording.ops[number], recorder.model)) recorder.busy.erase(fileid);
  recorder.recording.ops[number] = op;
  --recorder.underWay;
  if (!done && recorder.outcome) recorder.outcome = fail(done.error().code, describe(op) + ": " + done.error().message);
  if (done) recorder.model.apply(op, PowerModel::Outcome::Answered);
}

void runAll(Recorder& recorder, const OpSource& source, size_t atOnce) {
  while (recorder.outcome) {
    auto op = source(recorder.model, recorder.busy, recorder.recording.ops.size());
    if (!op && recorder.underWay == 0) break;
    if (op) {
      recorder.busy.merge(touchedBy(*op, recorder.model));
      recorder.recording.ops.push_back(std::move(*op));
      ++recorder.underWay;
      recorder.site.spawnTask(performRecorded(recorder, recorder.recording.ops.size() - 1));
    }
    recorder.site.runUntil([&] { return recorder.underWay < (op ? atOnce : 1); });
    if (atOnce == 1) recorder.site.settle();
  }
  recorder.site.runUntil([&] { return recorder.underWay == 0; });
}

}  // namespace

Task<Result<void>> perform(PowerSite& site, PowerOp& op) {
  switch (op.kind) {
    case OpKind::Create: return performCreate(site, op);
    case OpKind::Read: return performRead(site, op);
    case OpKind::Write: return performWrite(site, op);
    case OpKind::Commit: return performCommit(site, op);
    case OpKind::SetSize: return performSetSize(site, op);
    case OpKind::Rename: return performRename(site, op);
    case OpKind::Remove: return performRemove(site, op);
    case OpKind::Optimize: return site.optimize();
    case OpKind::Destage: return site.destage();
    case OpKind::SetMode: return site.setWriteMode(op.mode);
  }
  return {};
}

Result<PowerRecording> record(const PowerStart& start, const OpSource& source, RecordOptions options) {
  SimLogDisk disk(start.medium);
  auto site = PowerSite::open(disk, {.startNumber = start.startNumber, .isSwept = options.isSwept, .newMode = start.model.mode(),
                                     .isOrdered = options.atOnce == 1});
  if (!site) return fail(site.error());
  Recorder recorder{.site = **site, .model = start.model, .recording = {}, .busy = {}, .underWay = 0, .outcome = {}};
  if (options.atOnce == 1) (*site)->settle();
  recorder.recording.firstCut = disk.log().size();
  if (options.fillsRing) recorder.outcome = (*site)->fillRing();
  runAll(recorder, source, options.atOnce);
  (*site)->settle();
  if (recorder.outcome && !(*site)->complaints().empty()) recorder.outcome = fail(ErrorCode::Internal, (*site)->complaints().front());
  if (options.isStopped && recorder.outcome) recorder.outcome = (*site)->stop();
  if (!options.isStopped) recorder.recording.log = disk.log();
  site->reset();
  if (options.isStopped) recorder.recording.log = disk.log();
  if (!recorder.outcome) return fail(recorder.outcome.error());
  return std::move(recorder.recording);
}

PowerCursor::PowerCursor(const PowerStart& start, const PowerRecording& recording)
    : m_recording(recording), m_medium(start.medium), m_model(start.model) {}

void PowerCursor::advanceTo(size_t eventCount) {
  for (; m_at < eventCount; ++m_at) {
    const DiskEvent& event = m_recording.log[m_at];
    m_medium.apply(event);
    if (event.kind != DiskEvent::Kind::Mark) continue;
    const size_t number = event.offset / 2;
    if (event.offset % 2 == 0) {
      m_underWay.push_back(number);
      continue;
    }
    std::erase(m_underWay, number);
    m_model.apply(m_recording.ops[number], PowerModel::Outcome::Answered);
  }
}

// Writes leave old and new bytes in any mixture; everything else happened or did not.
std::vector<PowerModel> PowerCursor::alternatives() const {
  std::vector<PowerModel> models{m_model};
  for (const size_t number : m_underWay) {
    const PowerOp& op = m_recording.ops[number];
    const size_t count = models.size();
    for (size_t i = 0; i < count; ++i) {
      PowerModel done = models[i];
      done.apply(op, PowerModel::Outcome::UnderWay);
      if (op.kind == OpKind::Write) models[i] = std::move(done);
      else if (changesNames(op.kind) || op.kind == OpKind::SetSize) models.push_back(std::move(done));
    }
  }
  return models;
}

std::string PowerCursor::underWay() const {
  std::string text;
  for (const size_t number : m_underWay) text += (text.empty() ? "" : ", ") + describe(m_recording.ops[number]);
  return text.empty() ? "nothing" : text;
}

}  // namespace quarry::test
