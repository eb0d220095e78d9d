// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dedup/optimizer.h"

#include <asio/this_coro.hpp>
#include <fmt/core.h>

#include <algorithm>

#include "engine/dedup/exclusion.h"
#include "engine/dedup/recipe_merge.h"

namespace quarry::dedup {
namespace {
constexpr size_t aheadMax = 14;
constexpr std::chrono::seconds commitInterval{1};
}  // namespace

Optimizer::Optimizer(OptimizerParts parts, Selection selection, std::optional<std::chrono::seconds> minAge, JobMonitor& monitor)
    : m_parts(std::move(parts)), m_selection(std::move(selection)), m_minAge(minAge), m_monitor(monitor),
      m_loader(m_parts.source, m_parts.recipes, m_parts.key, m_parts.workers), m_committer(m_parts.source, m_parts.recipes, monitor) {}

Task<Result<void>> Optimizer::run() {
  auto surveyed = co_await survey();
  if (!surveyed || m_files.empty()) co_return surveyed;
  auto writer = blockstore::BlockWriter::open(m_parts.fileSystem, m_parts.containerFolder, m_parts.recipes, m_parts.workers);
  if (!writer) co_return fail(writer.error());
  m_lastCommit = m_parts.clock.steady();

  Result<void> outcome = co_await work(**writer);
  co_await drain();
  if (outcome) outcome = co_await (*writer)->sealAll();
  co_await (*writer)->finish();
  // Also after an error: what needs only sealed containers is good, and frees landing space.
  const auto committed = co_await commitReady(**writer);
  if (outcome && !committed) outcome = fail(committed.error());
  reportSkipped();
  if (outcome && m_monitor.stopRequested()) co_return fail(ErrorCode::Cancelled, "cancelled; what was done until then stays");
  co_return outcome;
}

// Finds out how much there is to do. Files without landing data are done already.
Task<Result<void>> Optimizer::survey() {
  auto files = m_parts.source.list(m_selection);
  if (!files) co_return fail(files.error());
  for (SourceFile& file : *files) {
    if (m_monitor.stopRequested()) co_return fail(ErrorCode::Cancelled, "cancelled before anything was done");
    m_monitor.add(Counter::FilesSeen, 1);
    if (!isWanted(file)) continue;
    const auto opened = co_await openFile(file);
    if (!opened || opened->segments.empty()) continue;
    m_monitor.add(Counter::BytesTotal, opened->data->landedBytes());
    m_files.push_back(std::move(file));
  }
  reportUnwanted();
  co_return Result<void>{};
}

// Nothing when the file is gone, or cannot be opened (then it is noted). landedBytes() of the data is right once this returned.
Task<std::optional<Optimizer::Opened>> Optimizer::openFile(const SourceFile& file) {
  auto data = co_await m_parts.source.open(file.fileid);
  Result<std::vector<uint32_t>> segments = fail(ErrorCode::Internal, "");
  if (data) segments = co_await (*data)->landedSegments();
  else segments = fail(data.error());
  if (segments) co_return Opened{.data = std::move(*data), .segments = std::move(*segments)};
  if (segments.error().code != ErrorCode::Stale) {
    m_monitor.add(Counter::FilesSkipped, 1);
    m_monitor.problem(file.path + ": " + segments.error().message);
  }
  co_return std::nullopt;
}

bool Optimizer::isWanted(const SourceFile& file) {
  std::string reason;
  if (const auto pattern = excludedBy(file.path, file.policy.exclude)) reason = "excluded by " + *pattern;
  else if (file.sizeBytes < file.policy.minSizeBytes) reason = fmt::format("smaller than {} bytes", file.policy.minSizeBytes);
  if (reason.empty()) return true;
  m_monitor.add(Counter::FilesSkipped, 1);
  ++m_unwanted[reason];
  return false;
}

// One line for all alike: a store has many lock files, and they must not fill the report.
void Optimizer::reportUnwanted() {
  for (const auto& [reason, count] : m_unwanted) m_monitor.note(fmt::format("{} {} {}", count, count == 1 ? "file" : "files", reason));
  m_unwanted.clear();
}

std::chrono::steady_clock::time_point Optimizer::coldBefore(const SourceFile& file) const {
  constexpr std::chrono::seconds ageMax = std::chrono::hours(24 * 365 * 100);  // a larger one would overflow the clock
  const std::chrono::seconds age = std::min(ageMax, m_minAge.value_or(std::chrono::seconds(std::min<uint64_t>(
                                                        file.policy.minAgeSeconds, static_cast<uint64_t>(ageMax.count())))));
  // Age 0 takes everything, also what is written at this very moment.
  return age.count() == 0 ? std::chrono::steady_clock::time_point::max() : m_parts.clock.steady() - age;
}

Task<Result<void>> Optimizer::work(blockstore::BlockWriter& writer) {
  while (!m_monitor.stopRequested()) {
    if (const auto writable = m_parts.source.checkWritable(); !writable) co_return writable;
    co_await readAhead();
    if (m_ahead.empty()) break;
    const auto room = co_await makeRoom(writer);
    if (!room) co_return room;
    Ahead ahead = std::move(m_ahead.front());
    m_ahead.pop_front();
    auto loaded = co_await ahead.loaded.get();
    auto processed = co_await process(writer, ahead, std::move(loaded));
    if (!processed) co_return processed;
    auto committed = co_await commitIfDue(writer);
    if (!committed) co_return committed;
  }
  co_return Result<void>{};
}

// New containers come before the landing space that they free. Where the disk has hardly room for them beside its reserve, what is done so far
// is committed and freed, and the job ends if that gave too little back.
Task<Result<void>> Optimizer::makeRoom(blockstore::BlockWriter& writer) {
  if (m_parts.availableBytes() >= spaceBytesMin) co_return Result<void>{};
  auto sealed = co_await writer.sealAll();
  if (!sealed) co_return sealed;
  auto committed = co_await commitReady(writer);
  if (!committed || m_parts.availableBytes() >= spaceBytesMin) co_return committed;
  co_return fail(ErrorCode::NoSpace, "stopped at the reserve: the store is nearly full; what was done until then stays");
}

Task<void> Optimizer::readAhead() {
  const auto executor = co_await asio::this_coro::executor;
  while (m_ahead.size() < std::min(aheadMax, m_parts.workerCount + 2)) {
    if (m_segments.empty()) {
      const bool opened = co_await openNextFile();
      if (!opened) co_return;
      continue;
    }
    const uint32_t segment = m_segments.front();
    m_segments.pop_front();
    blockstore::Spawned<Result<LoadedSegment>> loaded(executor, m_loader.load(m_file, segment, coldBefore(m_file->source)));
    m_ahead.push_back({.file = m_file, .segment = segment, .loaded = std::move(loaded)});
  }
}

// False: there is none left.
Task<bool> Optimizer::openNextFile() {
  if (m_files.empty()) co_return false;
  SourceFile source = std::move(m_files.front());
  m_files.pop_front();
  auto opened = co_await openFile(source);
  if (!opened) co_return true;
  m_segments.assign(opened->segments.begin(), opened->segments.end());
  m_file = std::make_shared<const OpenFile>(OpenFile{.source = std::move(source), .data = std::move(opened->data)});
  co_return true;
}

// What was started must end before what it refers to goes.
Task<void> Optimizer::drain() {
  for (; !m_ahead.empty(); m_ahead.pop_front()) co_await m_ahead.front().loaded.get();
}

Task<Result<void>> Optimizer::process(blockstore::BlockWriter& writer, const Ahead& ahead, Result<LoadedSegment> loaded) {
  const SourceFile& file = ahead.file->source;
  m_monitor.setCurrentFile(file.path);
  if (!loaded) {
    m_monitor.add(Counter::SegmentsSkipped, 1);
    m_monitor.problem(fmt::format("{}: segment {} cannot be read: {}", file.path, ahead.segment, loaded.error().message));
    co_return Result<void>{};
  }
  const uint64_t landedBytes = loaded->landed.count() * blockBytes;
  Result<void> placed;
  if (loaded->state == SegmentState::Loaded) placed = co_await place(writer, ahead, *loaded);
  else skip(*ahead.file, loaded->state);
  m_loader.recycle(std::move(*loaded));
  m_monitor.add(Counter::BytesDone, landedBytes);
  co_return placed;
}

Task<Result<void>> Optimizer::place(blockstore::BlockWriter& writer, const Ahead& ahead, LoadedSegment& loaded) {
  const SourceFile& file = ahead.file->source;
  blockstore::Placement placement;
  if (loaded.present.any()) {
    const bool followsLast = m_lastFile == file.fileid && ahead.segment == m_lastSegment + 1;
    const blockstore::SegmentBlocks blocks{.data = loaded.data.bytes(), .fingerprints = loaded.fingerprints, .present = loaded.present,
                                           .level = file.policy.level, .followsLast = followsLast};
    auto placed = co_await writer.add(blocks);
    for (std::string& warning : writer.takeWarnings()) m_monitor.problem(std::move(warning));
    if (!placed) co_return fail(placed.error());
    placement = std::move(*placed);
    m_lastFile = file.fileid;
    m_lastSegment = ahead.segment;
  }
  static const metadata::Recipe none;
  m_committer.add({.file = ahead.file, .segment = ahead.segment,
                   .recipe = mergeRecipe(loaded.existing ? *loaded.existing : none, loaded.landed, placement.extents),
                   .newestContainer = placement.newestContainer, .truncateCounter = loaded.truncateCounter,
                   .writeCounter = loaded.writeCounter});
  m_monitor.add(Counter::ZeroBytes, (loaded.landed.count() - loaded.present.count()) * blockBytes);
  m_monitor.add(Counter::DuplicateBytes, uint64_t{placement.duplicateBlocks} * blockBytes);
  m_monitor.add(Counter::NewBytes, uint64_t{placement.newBlocks} * blockBytes);
  co_return Result<void>{};
}

Task<Result<void>> Optimizer::commitIfDue(blockstore::BlockWriter& writer) {
  if (m_committer.pendingCount() >= pendingMax) {
    // Everything waits for a container that fills too slowly.
    auto sealed = co_await writer.sealAll();
    if (!sealed) co_return sealed;
    co_return co_await commitReady(writer);
  }
  const bool fullBatch = m_committer.readyCount(writer.sealedThrough()) >= RecipeCommitter::batchMax;
  if (!fullBatch && m_parts.clock.steady() - m_lastCommit < commitInterval) co_return Result<void>{};
  co_return co_await commitReady(writer);
}

Task<Result<void>> Optimizer::commitReady(blockstore::BlockWriter& writer) {
  m_committer.addSealed(writer.takeSealed());
  auto committed = co_await m_committer.commit(writer.sealedThrough());
  m_lastCommit = m_parts.clock.steady();
  co_return committed;
}

void Optimizer::skip(const OpenFile& file, SegmentState state) {
  if (state == SegmentState::Nothing) return;
  if (m_skippedPath != file.source.path) reportSkipped();
  m_skippedPath = file.source.path;
  ++(state == SegmentState::Young ? m_youngCount : m_changingCount);
  m_monitor.add(Counter::SegmentsSkipped, 1);
}

void Optimizer::reportSkipped() {
  if (m_youngCount > 0) m_monitor.note(fmt::format("{}: {} segments left alone, written too recently", m_skippedPath, m_youngCount));
  if (m_changingCount > 0) m_monitor.note(fmt::format("{}: {} segments left alone, changed while they were read", m_skippedPath, m_changingCount));
  m_youngCount = m_changingCount = 0;
}

}  // namespace quarry::dedup
