// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/powercut/power_site.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "engine/base/check.h"
#include "engine/dedup/optimizer.h"
#include "engine/metadata/schema.h"
#include "engine/vstorage/exported_vstorage.h"

namespace quarry::test {

namespace {

const std::string vstorageName = "v", otherName = "other", pulseName = "pulse";
constexpr uint64_t cacheBytes = 64 << 20;
constexpr std::chrono::seconds hangSeconds{60};

Task<bool> drained(FileDataTable* files) {
  co_await files->drain();
  co_return true;
}

Task<bool> recovered(FileDataTable* files) {
  const size_t left = co_await files->recover();
  co_return left == 0;
}

class Monitor : public dedup::JobMonitor {
 public:
  std::vector<std::string> problems;

  bool stopRequested() const override { return false; }
  void setCurrentFile(std::string) override {}
  void note(std::string) override {}
  void problem(std::string line) override { problems.push_back(std::move(line)); }
  void add(dedup::Counter, uint64_t) override {}
};

blockstore::StoreKey someKey() {
  blockstore::StoreKey key;
  for (size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i * 5 + 3);
  return key;
}

}  // namespace

std::shared_ptr<IoRecorder> PowerSite::NoRecorders::open(const std::string&) {
  struct Nothing : IoRecorder {
    void record(IoKind, uint64_t, std::chrono::nanoseconds) override {}
  };
  return std::make_shared<Nothing>();
}

PowerSite::PowerSite(SimLogDisk& disk, Options options)
    : m_disk(disk), m_options(options), m_path(disk.root()), m_clock(1'800'000'000 + options.startNumber * 1000), m_key(someKey()) {
  m_health.setOnDamage([this](const Error& error) { complain("damaged: " + error.message); });
  m_health.setOnReadOnly([this](const std::string& reason) { complain("read-only: " + reason); });
}

void PowerSite::complain(std::string text) {
  const Lock lock(m_mutex);
  m_complaints.push_back(std::move(text));
}

std::vector<std::string> PowerSite::complaints() const {
  const Lock lock(m_mutex);
  return m_complaints;
}

Result<std::unique_ptr<PowerSite>> PowerSite::open(SimLogDisk& disk, Options options) {
  std::unique_ptr<PowerSite> site(new PowerSite(disk, options));
  for (const auto step : {&PowerSite::openDatabases, &PowerSite::raiseTimes, &PowerSite::buildDataPlane, &PowerSite::openVstorages})
    if (auto done = ((*site).*step)(); !done) return fail(done.error());
  return site;
}

PowerSite::~PowerSite() {
  if (m_savings) m_savings->stop();
  if (m_files) settle();
  m_vstorage.reset();
  m_other.reset();
  m_vstorages.reset();
  m_savings.reset();
  m_vms.reset();
  m_space.reset();
}

Result<void> PowerSite::openDatabases() {
  using metadata::DatabaseMode;
  const auto mode = m_disk.exists(m_path + "/namespace.db") ? DatabaseMode::MustExist : DatabaseMode::Create;
  auto names = metadata::openNamespaceDatabase(m_path + "/namespace.db", mode);
  if (!names) return fail(names.error());
  m_namespaceQueue = std::make_unique<metadata::TransactionQueue>(std::move(*names), "namespace");
  m_namespaceQueue->setOnBroken([this](const Error& error) { m_health.turnReadOnly(error.message); });
  auto inodes = metadata::InodeTable::load(*m_namespaceQueue, m_clock);
  if (!inodes) return fail(inodes.error());
  m_inodes = std::move(*inodes);

  auto blocks = metadata::openBlocksDatabase(m_path + "/blocks.db", mode);
  if (!blocks) return fail(blocks.error());
  m_blocksQueue = std::make_unique<metadata::TransactionQueue>(std::move(*blocks), "blocks");
  m_blocksQueue->setOnBroken([this](const Error& error) { m_health.turnReadOnly(error.message); });
  auto recipes = metadata::RecipeTable::open(m_path + "/blocks.db", *m_blocksQueue);
  if (!recipes) return fail(recipes.error());
  m_recipes = std::move(*recipes);
  return {};
}

// In the order in which Store opens them. The destager's own loop, which goes by the clock, stays away: destage() takes its place.
Result<void> PowerSite::buildDataPlane() {
  m_blocks = blockstore::BlockStore::open(m_disk, m_path + "/containers", *m_recipes, m_key, m_workers);
  auto made = StoreCache::make({.fileSystem = m_disk, .storePath = m_path, .executor = m_context.get_executor(), .clock = m_clock, .health = m_health,
                                .options = {.journalFolder = {}, .journalBytes = journal::areaBytesMin, .cacheBytes = cacheBytes}});
  if (!made) return fail(made.error());
  m_cache = std::move(*made);
  m_files = std::make_unique<FileDataTable>(FileDataTable::Parts{
      .fileSystem = m_disk,
      .landingFolder = m_path + "/landing",
      .inodes = *m_inodes,
      .recipes = *m_recipes,
      .blocks = *m_blocks,
      .caches = m_cache->caches(),
      .workers = m_workers,
      .loop = m_context.get_executor(),
      .clock = m_clock,
      .onSyncFailed = [this](const Error& error) { m_health.turnReadOnly(error.message); },
      .onDamage = [this](const Error& error) { m_health.noteDamage(error); },
  });
  if (auto kept = run(m_files->keepUnknownData()); !kept) return fail(kept.error());
  if (auto replayed = run(m_cache->openJournal(*m_files, *m_inodes)); !replayed) return replayed;
  if (!run(recovered(m_files.get()))) return fail(ErrorCode::Internal, "a shortening stays unfinished");
  m_space = std::make_unique<SpaceGuard>(m_disk, m_path, m_clock, m_files->shared().landedBlocksNew,
                                         &m_cache->caches().write().engineAccount().dirtyBlocks);
  m_vms = std::make_unique<VmCatalog>(*m_inodes, *m_files, m_recorders);
  m_savings = std::make_unique<SavingsAccountant>(*m_inodes, *m_recipes, *m_files, m_clock);
  auto vstorages = VstorageTable::load({.inodes = *m_inodes,
                                        .files = *m_files,
                                        .caches = m_cache->caches(),
                                        .destager = m_cache->destager(),
                                        .space = *m_space,
                                        .health = m_health,
                                        .vms = *m_vms,
                                        .savings = *m_savings,
                                        .recorders = m_recorders,
                                        .clock = m_clock,
                                        .writeVerifier = 77});
  if (!vstorages) return fail(vstorages.error());
  m_vstorages = std::move(*vstorages);
  if (m_options.isSwept) m_files->startOrphanSweep();
  return {};
}

Result<void> PowerSite::openVstorages() {
  for (const std::string& name : {vstorageName, otherName})
    if (auto made = makeVstorage(name); !made) return made;
  m_vstorage = m_vstorages->find(vstorageName);
  m_other = m_vstorages->find(otherName);
  CreateRequest request;
  request.directory = m_other->root();
  request.name = pulseName;
  request.createMode = metadata::CreateMode::Unchecked;
  const auto pulse = run(m_other->create(caller, std::move(request)));
  if (!pulse) return fail(pulse.error());
  m_pulse = pulse->inode.fileid;
  return {};
}

Result<void> PowerSite::makeVstorage(const std::string& name) {
  if (m_vstorages->find(name)) return {};
  protocol::VstorageCreate request;
  request.name = name;
  request.writeMode = m_options.newMode;
  const auto made = run(m_vstorages->create(std::move(request)));
  if (!made) return fail(made.error());
  return {};
}

// The first write after a start makes the namespace raise what it promised of changed times, on a thread of its own: done here, it is done.
Result<void> PowerSite::raiseTimes() {
  if (!m_options.isOrdered) return {};
  const auto rows = m_inodes->vstorages();
  const auto row = std::ranges::find(rows, otherName, &metadata::VstorageRow::name);
  if (row == rows.end()) return {};
  const auto pulse = m_inodes->lookup(row->root, pulseName);
  if (!pulse) return {};
  const uint64_t before = m_namespaceQueue->transactionCount();
  if (auto touched = m_inodes->touchWritten(pulse->fileid, 0); !touched) return fail(touched.error());
  runUntil([&] { return m_namespaceQueue->transactionCount() > before; });
  return {};
}

// Other threads change the disk only between two handlers of the loop.
void PowerSite::runUntil(const std::function<bool()>& isDone) {
  auto progressAt = std::chrono::steady_clock::now();
  while (!isDone()) {
    m_disk.closeGate();
    const size_t ran = m_context.poll_one();
    m_disk.openGate();
    if (ran == 0) std::this_thread::yield();
    const auto now = std::chrono::steady_clock::now();
    if (ran > 0) progressAt = now;
    QUARRY_CHECK(now - progressAt < hangSeconds);
  }
}

void PowerSite::settle() { run(drained(m_files.get())); }

Task<Result<void>> PowerSite::optimize() {
  Monitor monitor;
  VstorageFiles source(*m_vstorages, *m_files, *m_inodes, *m_vms, m_health, &m_cache->destager());
  dedup::Optimizer optimizer({.fileSystem = m_disk,
                              .containerFolder = m_path + "/containers",
                              .recipes = *m_recipes,
                              .source = source,
                              .key = m_key,
                              .workers = m_workers,
                              .workerCount = 1,
                              .clock = m_clock,
                              .availableBytes = [] { return uint64_t{1} << 40; }},
                             {}, std::chrono::seconds(0), monitor);
  const auto done = co_await optimizer.run();
  if (!done) co_return done;
  if (!monitor.problems.empty()) co_return fail(ErrorCode::Internal, monitor.problems.front());
  co_return Result<void>();
}

Task<Result<void>> PowerSite::destage() {
  const cache::Destager::Choice all = [](cache::DirtyFile&) { return true; };
  const auto flushed = co_await m_cache->destager().flush(all);
  if (!flushed) co_return fail(flushed.error());
  journal::Journal& journal = m_cache->journal();
  if (journal.firstReplayed() == journal.firstNeeded()) co_return Result<void>();
  co_return co_await journal.checkpoint();
}

protocol::WriteMode PowerSite::writeMode() { return dynamic_cast<const ExportedVstorage&>(*m_vstorage).settings().writeMode; }

Task<Result<void>> PowerSite::setWriteMode(protocol::WriteMode mode) {
  protocol::VstorageSet request;
  request.name = vstorageName;
  request.writeMode = mode;
  const auto set = co_await m_vstorages->set(std::move(request));
  if (!set) co_return fail(set.error());
  co_return Result<void>();
}

Result<void> PowerSite::fillRing() {
  constexpr uint64_t leftBytes = 96 * 1024, largeBytes = 252 * 1024, smallBytes = 16 * 1024;
  const AlignedBuffer data(largeBytes);
  for (;;) {
    const auto figures = m_cache->journal().figures();
    if (figures.writtenBytes + leftBytes >= figures.areaBytes) break;
    const uint64_t bytes = figures.areaBytes - figures.writtenBytes > 2 * largeBytes ? largeBytes : smallBytes;
    const WriteRequest request{m_pulse, 0, data.bytes().first(bytes), Stability::FileSync};
    if (auto written = run(m_other->write(caller, request)); !written) return fail(written.error());
    if (auto destaged = run(destage()); !destaged) return destaged;
  }
  metadata::AttributeChange change;
  change.size = 0;
  if (auto emptied = run(m_other->setAttributes(caller, m_pulse, std::move(change))); !emptied) return fail(emptied.error());
  return {};
}

Result<void> PowerSite::stop() {
  m_savings->stop();
  settle();
  m_cache->stop();
  if (auto closed = run(m_cache->close()); !closed) return closed;
  return run(m_inodes->persistAll());
}

Result<Observed> PowerSite::observe() {
  Observed observed;
  const auto page = m_vstorage->readDirectory(caller, m_vstorage->root(), 0, 1000);
  if (!page) return fail(page.error());
  for (const auto& entry : page->entries) {
    if (entry.name == "." || entry.name == "..") continue;
    auto file = run(readFile(entry.inode.fileid));
    if (!file) return fail(file.error());
    observed[entry.name] = std::move(*file);
  }
  return observed;
}

Task<Result<ObservedFile>> PowerSite::readFile(FileId fileid) {
  constexpr FileArea hole{segmentBytes / 4, blockBytes};
  const auto inode = m_vstorage->getAttributes(fileid);
  if (!inode) co_return fail(inode.error());
  ObservedFile observed{.fileid = fileid, .size = inode->size, .areas = {}};
  for (const FileArea& area : {fileAreas[0], hole, fileAreas[1]}) {
    const auto read = co_await readArea(fileid, area.offset, std::min(inode->size, area.offset + area.length), observed.areas[area.offset]);
    if (!read) co_return fail(read.error());
  }
  co_return observed;
}

Task<Result<void>> PowerSite::readArea(FileId fileid, uint64_t offset, uint64_t end, std::vector<std::byte>& into) {
  while (offset < end) {
    const auto count = static_cast<uint32_t>(std::min(readChunkBytes, end - offset));
    const auto reply = co_await m_vstorage->read(caller, fileid, offset, count);
    if (!reply) co_return fail(reply.error());
    if (reply->count != count) co_return fail(ErrorCode::Internal, fmt::format("file {}: {} bytes at {} instead of {}", fileid, reply->count, offset, count));
    const std::vector<std::byte> got = copyOf(*reply);
    into.insert(into.end(), got.begin(), got.end());
    offset += count;
  }
  co_return Result<void>();
}

std::vector<std::string> PowerSite::strays() {
  std::vector<std::string> found;
  for (unsigned low = 0; low < 64; ++low) {  // no run makes more files
    const auto files = m_disk.list(fmt::format("{}/landing/{:02x}", m_path, low));
    for (const auto& file : *files)
      if (!m_inodes->get(std::strtoull(file.name.c_str(), nullptr, 16))) found.push_back("landing file " + file.name);
  }
  for (const metadata::FileId fileid : m_recipes->files())
    if (!m_inodes->get(fileid)) found.push_back(fmt::format("recipes of file {}", fileid));
  return found;
}

}  // namespace quarry::test
