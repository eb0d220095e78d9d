// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/journal/journal.h"

#include <algorithm>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <chrono>
#include <random>
#include <tuple>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/log.h"
#include "engine/base/spawn.h"

namespace quarry::journal {

namespace {
constexpr uint64_t zeroPieceBytes = 4 << 20, mib = 1 << 20;

std::string ringPath(const std::string& folder) { return folder + "/ring"; }

uint64_t randomId() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

Task<Result<void>> fillWithZeros(os::File& file, uint64_t from, uint64_t to) {
  AlignedBuffer zeros(zeroPieceBytes);
  zeros.clear();
  for (uint64_t at = from; at < to; at += zeroPieceBytes) {
    const uint64_t length = std::min(zeroPieceBytes, to - at);
    const auto written = co_await file.writeAt(at, zeros.bytes().first(length), os::Durability::None);
    if (!written) co_return written;
  }
  co_return co_await file.sync();
}

// Under another name until it is whole: what is called "ring" always has a checkpoint.
Task<Result<void>> makeRing(os::FileSystem& fileSystem, const Journal::Options& options, uint64_t areaBytes) {
  const std::string& folder = options.folder;
  const std::string path = ringPath(folder), unfinished = path + ".new";
  log("journal").info("making a journal of up to {} MiB in {}", areaBytes >> 20, folder);
  (void)fileSystem.remove(unfinished);
  auto file = fileSystem.open(unfinished, os::OpenMode::CreateNew, os::CacheMode::Direct);
  if (!file) co_return fail(file.error());
  const uint64_t filledBytes = std::min(areaBytes, fillStepBytes);
  const auto filled = co_await fillWithZeros(**file, 0, areaOffset + filledBytes);
  if (!filled) co_return filled;
  const AlignedBuffer first = encodeCheckpoint(
      {.ringId = randomId(), .areaBytes = areaBytes, .filledBytes = filledBytes, .count = 0, .sequence = options.firstSequence, .position = 0});
  const auto written = co_await (*file)->writeAt(0, first.bytes(), os::Durability::Durable);
  if (!written) co_return written;
  file->reset();
  if (auto renamed = fileSystem.rename(unfinished, path); !renamed) co_return renamed;
  co_return fileSystem.syncDirectory(folder);
}
}  // namespace

// Without entries: a checkpoint is waited for.
struct Journal::Waiting {
  std::span<const Entry> entries;
  std::function<void(Result<uint64_t>)> done;
};

Task<Result<std::unique_ptr<Journal>>> Journal::open(os::FileSystem& fileSystem, Options options, ReplayVisitor visitor) {
  const std::string path = ringPath(options.folder);
  const std::string remedy = ". It may hold acknowledged writes: bring it back, or start once with --new-journal to go on without them";
  auto file = fileSystem.open(path, os::OpenMode::ReadWrite, os::CacheMode::Direct);
  const bool isMissing = !file && file.error().code == ErrorCode::Lost;
  if (isMissing && options.ringId && !options.makeNew) co_return fail(ErrorCode::Lost, "the journal of this store is not in " + options.folder + remedy);
  if (file && options.ringId) {
    const auto ringId = co_await JournalReader(**file).ringId();
    if (!ringId && !options.makeNew) co_return fail(ringId.error().code, path + ": " + ringId.error().message);
    const bool isOther = !ringId || *ringId != *options.ringId;
    if (isOther && !options.makeNew) co_return fail(ErrorCode::Lost, "the journal in " + options.folder + " belongs to another store" + remedy);
    if (isOther) file = fail(ErrorCode::Lost, "replaced");
  }
  if (!file && file.error().code == ErrorCode::Lost) {
    const uint64_t areaBytes = std::max(alignDown(options.areaBytes, mib), areaBytesMin);
    const auto made = co_await makeRing(fileSystem, options, areaBytes);
    if (!made) co_return fail(made.error().code, "the journal in " + options.folder + " cannot be made: " + made.error().message);
    file = fileSystem.open(path, os::OpenMode::ReadWrite, os::CacheMode::Direct);
  }
  if (!file) co_return fail(file.error());
  JournalReader reader(**file);
  auto end = co_await reader.replay(std::move(visitor));
  if (!end) co_return fail(end.error().code, path + ": " + end.error().message);
  const auto size = (*file)->size();
  if (!size) co_return fail(size.error());
  // What a step cut short by a crash left counts as far as whole MiB go: it reads as zeros or as old groups.
  end->checkpoint.filledBytes = std::min(end->checkpoint.areaBytes, alignDown(*size - areaOffset, mib));
  co_return std::unique_ptr<Journal>(new Journal(std::move(*file), std::move(options), std::move(*end)));
}

Journal::Journal(std::unique_ptr<os::File> file, Options options, ReplayEnd end)
    : m_file(std::move(file)), m_options(std::move(options)), m_ringId(end.checkpoint.ringId),
      m_checkpoint(end.checkpoint), m_areaBytes(end.checkpoint.areaBytes), m_groups(end.groups.begin(), end.groups.end()),
      m_nextSequence(end.nextSequence), m_nextPosition(end.nextPosition) {
  for (const auto& group : m_groups) m_usedBytes += group.bytes;
}

Journal::~Journal() {
  const Lock lock(m_mutex);
  QUARRY_CHECK(!m_isWriting);
}

Task<Result<uint64_t>> Journal::append(std::span<const Entry> entries) {
  QUARRY_CHECK(!entries.empty() && entries.size() <= appendEntriesMax);
  co_return co_await wait(entries);
}

Task<Result<void>> Journal::checkpoint() {
  const auto written = co_await wait({});
  if (!written) co_return fail(written.error());
  co_return Result<void>();
}

Task<Result<uint64_t>> Journal::wait(std::span<const Entry> entries) {
  const auto executor = m_options.executor.value_or(co_await asio::this_coro::executor);
  Waiting waiting{.entries = entries, .done = {}};
  const auto start = [this, &executor, &waiting](std::function<void(Result<uint64_t>)> done) {
    waiting.done = std::move(done);
    std::optional<Error> failure;
    bool isFirst = false;
    {
      const Lock lock(m_mutex);
      failure = m_failure;
      if (!failure) {
        m_waiting.push_back(&waiting);
        isFirst = !std::exchange(m_isWriting, true);
      }
    }
    if (failure) waiting.done(fail(*failure));
    if (isFirst) spawn(executor, writeGroups());
  };
  co_return co_await awaitCallback<Result<uint64_t>>(start);
}

// Lives while entries wait.
Task<void> Journal::writeGroups() {
  for (;;) {
    GroupWriter group(m_ringId);
    const std::deque<Waiting*> carried = takeGroup(group);
    if (carried.empty()) co_return;
    const bool wantsCheckpoint = std::any_of(carried.begin(), carried.end(), [](const Waiting* waiting) { return waiting->entries.empty(); });
    Result<uint64_t> written = 0;
    if (group.entryCount() > 0) written = co_await writeGroup(group);
    if (written && wantsCheckpoint) {
      const auto forgotten = co_await writeCheckpoint();
      if (!forgotten) written = fail(failed(forgotten.error()));
    }
    for (Waiting* waiting : carried) waiting->done(written);
  }
}

std::deque<Journal::Waiting*> Journal::takeGroup(GroupWriter& group) {
  std::deque<Waiting*> carried;
  const Lock lock(m_mutex);
  while (!m_waiting.empty() && group.hasRoom(m_waiting.front()->entries.size())) {
    for (const Entry& entry : m_waiting.front()->entries) group.add(entry);
    carried.push_back(m_waiting.front());
    m_waiting.pop_front();
  }
  if (carried.empty()) m_isWriting = false;
  return carried;
}

Task<Result<uint64_t>> Journal::writeGroup(const GroupWriter& group) {
  const uint64_t bytes = group.encodedBytes();
  auto position = co_await findPlace(bytes);
  if (position && !isFilled(*position + bytes)) {
    const auto grown = co_await grow(*position + bytes);
    if (!grown) co_return fail(failed(grown.error()));
    if (!isFilled(*position + bytes)) position = co_await findPlace(bytes);  // the ring stays as large as it is
  }
  if (!position) co_return fail(failed(position.error()));
  const uint64_t sequence = nextSequence();
  const AlignedBuffer encoded = group.encode(sequence);
  const auto written = co_await m_file->writeAt(areaOffset + *position, encoded.bytes(), os::Durability::Durable);
  if (!written) co_return fail(failed(written.error()));
  const Lock lock(m_mutex);
  m_groups.push_back({sequence, *position, bytes});
  m_nextSequence = sequence + 1;
  m_nextPosition = *position + bytes;
  m_usedBytes += bytes;
  ++m_figures.groupCount;
  m_figures.entryCount += group.entryCount();
  m_figures.writtenBytes += bytes;
  co_return sequence;
}

bool Journal::isFilled(uint64_t upTo) const {
  const Lock lock(m_mutex);
  return upTo <= m_checkpoint.filledBytes;
}

// The file grows by a step. A disk without room for it leaves the ring as large as it is: what it has goes round.
Task<Result<void>> Journal::grow(uint64_t upTo) {
  uint64_t from = 0, to = 0;
  {
    const Lock lock(m_mutex);
    from = m_checkpoint.filledBytes;
    to = std::min(m_areaBytes, alignUp(upTo, fillStepBytes));
  }
  const auto filled = co_await fillWithZeros(*m_file, areaOffset + from, areaOffset + to);
  if (!filled && filled.error().code != ErrorCode::NoSpace) co_return filled;
  {
    const Lock lock(m_mutex);
    if (filled) m_checkpoint.filledBytes = to;
    else m_areaBytes = from;
  }
  if (!filled) log("journal").warn("no room for a larger journal: it stays at {} MiB", from >> 20);
  if (!filled) co_return Result<void>();
  co_return co_await writeCheckpoint();
}

// Waits until the ring has room behind what replay may need.
Task<Result<uint64_t>> Journal::findPlace(uint64_t bytes) {
  for (;;) {
    bool canForget = false;
    uint64_t first = 0;
    {
      const Lock lock(m_mutex);
      if (m_failure) co_return fail(*m_failure);
      if (const auto place = placeBehind(m_checkpoint.sequence, m_checkpoint.position, bytes)) co_return *place;
      uint64_t position = 0;
      std::tie(first, position) = oldestNeeded();
      canForget = placeBehind(first, position, bytes).has_value();
    }
    if (canForget) {
      const auto written = co_await writeCheckpoint();
      if (!written) co_return fail(written.error());
    } else {
      co_await waitForRelease(first);
    }
  }
}

std::pair<uint64_t, uint64_t> Journal::oldestNeeded() const {
  return m_groups.empty() ? std::pair(m_nextSequence, m_nextPosition) : std::pair(m_groups.front().sequence, m_groups.front().position);
}

// Where a group of that length may go if replay begins with the group `sequence` at `head`.
std::optional<uint64_t> Journal::placeBehind(uint64_t sequence, uint64_t head, uint64_t bytes) const {
  const uint64_t tail = m_nextPosition;
  const bool isEmpty = sequence == m_nextSequence;
  if (!isEmpty && tail <= head) return bytes <= head - tail ? std::optional(tail) : std::nullopt;
  if (bytes <= m_areaBytes - tail) return tail;
  return isEmpty || bytes <= head ? std::optional<uint64_t>(0) : std::nullopt;
}

// Until another group than `first` is the first one needed.
Task<void> Journal::waitForRelease(uint64_t first) {
  const auto start = [this, first](std::function<void(bool)> wake) {
    bool isReleased = false;
    {
      const Lock lock(m_mutex);
      isReleased = oldestNeeded().first != first;
      if (!isReleased) m_wakeWriter = wake;
    }
    if (isReleased) return wake(true);
    if (m_options.onFull) m_options.onFull();
  };
  co_await awaitCallback<bool>(start);
}

void Journal::release(uint64_t sequence) {
  std::function<void(bool)> wake;
  {
    const Lock lock(m_mutex);
    const size_t before = m_groups.size();
    while (!m_groups.empty() && m_groups.front().sequence < sequence) {
      m_usedBytes -= m_groups.front().bytes;
      m_groups.pop_front();
    }
    if (m_groups.size() != before) wake = std::exchange(m_wakeWriter, nullptr);
  }
  if (wake) wake(true);
}

Task<Result<void>> Journal::writeCheckpoint() {
  Checkpoint next;
  {
    const Lock lock(m_mutex);
    next = m_checkpoint;
    ++next.count;
    std::tie(next.sequence, next.position) = oldestNeeded();
    if (next.position >= m_areaBytes) next.position = 0;
  }
  const AlignedBuffer block = encodeCheckpoint(next);
  const auto written = co_await m_file->writeAt(next.count % 2 * blockBytes, block.bytes(), os::Durability::Durable);
  if (!written) co_return written;
  const Lock lock(m_mutex);
  m_checkpoint = next;
  co_return Result<void>();
}

Error Journal::failed(const Error& error) {
  const Error named{error.code, "the journal cannot be written: " + error.message};
  bool isFirst = false;
  {
    const Lock lock(m_mutex);
    isFirst = !m_failure;
    if (isFirst) m_failure = named;
  }
  if (isFirst && m_options.onFailed) m_options.onFailed(named);
  return named;
}

// Behind whatever still waits: a request that outlived the server's patience gets its answer, or the disk never gives one.
Task<Result<void>> Journal::close() {
  const auto written = co_await checkpoint();
  asio::steady_timer timer(co_await asio::this_coro::executor);
  while (isWriting()) {
    timer.expires_after(std::chrono::milliseconds(1));
    co_await expiry(timer);
  }
  co_return written;
}

bool Journal::isWriting() const {
  const Lock lock(m_mutex);
  return m_isWriting;
}

uint64_t Journal::firstReplayed() const {
  const Lock lock(m_mutex);
  return m_checkpoint.sequence;
}

uint64_t Journal::firstNeeded() const {
  const Lock lock(m_mutex);
  return oldestNeeded().first;
}

uint64_t Journal::nextSequence() const {
  const Lock lock(m_mutex);
  return m_nextSequence;
}

JournalFigures Journal::figures() const {
  const Lock lock(m_mutex);
  JournalFigures figures = m_figures;
  figures.areaBytes = m_areaBytes;
  figures.usedBytes = m_usedBytes;
  return figures;
}

}  // namespace quarry::journal
