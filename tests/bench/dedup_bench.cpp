// SPDX-License-Identifier: GPL-3.0-or-later
// What optimizing would save of disk images, and how fast: fingerprints, matcher, frames and containers as in life, with the store in RAM.
//
//   dedup_bench [--threads N] [--level L] FILE-OR-FOLDER…
//
// Only the segments of one file are read ahead; the images are read into RAM before the clock runs for each segment batch, so that the
// figures are those of the code, not of the disk.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/blockstore/block_writer.h"
#include "engine/blockstore/fingerprint.h"
#include "tests/support/fake_recipe_table.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_file_system.h"

using namespace quarry;
using namespace quarry::blockstore;

namespace {

constexpr size_t batchSegments = 64;  // 256 MiB

struct Options {
  unsigned threads = 1;
  int level = 1;
  std::vector<std::string> files;
};

struct Totals {
  uint64_t nonZeroBytes = 0, duplicateBytes = 0, newBytes = 0, extents = 0, segments = 0;
  double seconds = 0, cpuSeconds = 0;
};

struct LoadedSegment {
  AlignedBuffer data{segmentBytes};
  std::vector<Fingerprint> fingerprints = std::vector<Fingerprint>(segmentBlocks);
  std::bitset<segmentBlocks> present;
  metadata::Recipe recipe;
};

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void fingerprintSegment(LoadedSegment& segment, const StoreKey& key) {
  Fingerprinter fingerprinter(key);
  segment.present.reset();
  for (size_t block = 0; block < segmentBlocks; ++block) {
    const Bytes bytes = segment.data.bytes().subspan(block * blockBytes, blockBytes);
    if (isZero(bytes)) continue;
    segment.present.set(block);
    segment.fingerprints[block] = fingerprinter(bytes);
  }
}

Task<Result<void>> commitSealed(BlockWriter& writer, test::FakeRecipeTable& recipes) {
  metadata::BlockTransaction transaction;
  for (SealedContainer& sealed : writer.takeSealed()) {
    transaction.containers.push_back(sealed.row);
    transaction.hooks.insert(transaction.hooks.end(), sealed.hooks.begin(), sealed.hooks.end());
  }
  auto committed = co_await recipes.commit(std::move(transaction));
  if (!committed) co_return fail(committed.error());
  co_return Result<void>{};
}

// Segments of a batch are fingerprinted two ahead of the one being placed, as the optimizer does.
Task<Result<void>> optimizeBatch(BlockWriter& writer, test::FakeRecipeTable& recipes, asio::thread_pool& workers, const StoreKey& key,
                                 std::span<LoadedSegment> batch, const Options& options, Totals& totals) {
  const auto executor = co_await asio::this_coro::executor;
  auto start = [&](size_t i) {
    auto work = [&batch, &key, i] {
      fingerprintSegment(batch[i], key);
      return true;
    };
    return Spawned<bool>(executor, onPool(workers, work));
  };
  std::deque<Spawned<bool>> ahead;
  for (size_t i = 0; i < batch.size(); ++i) {
    while (ahead.size() < 4 && i + ahead.size() < batch.size()) ahead.push_back(start(i + ahead.size()));
    co_await ahead.front().get();
    ahead.pop_front();
    const SegmentBlocks blocks{.data = batch[i].data.bytes(), .fingerprints = batch[i].fingerprints, .present = batch[i].present,
                               .level = options.level, .followsLast = i > 0};
    auto placed = co_await writer.add(blocks);
    if (!placed) co_return fail(placed.error());
    totals.nonZeroBytes += batch[i].present.count() * blockBytes;
    totals.duplicateBytes += uint64_t{placed->duplicateBlocks} * blockBytes;
    totals.newBytes += uint64_t{placed->newBlocks} * blockBytes;
    totals.extents += placed->extents.size();
    ++totals.segments;
    batch[i].recipe = std::move(placed->extents);
    auto committed = co_await commitSealed(writer, recipes);
    if (!committed) co_return committed;
  }
  co_return Result<void>{};
}

// Data segments of the file from `offset` on; returns where to go on.
off_t loadBatch(int file, off_t size, off_t offset, std::vector<LoadedSegment>& pool, size_t& count) {
  for (count = 0; count < pool.size() && offset < size;) {
    const off_t data = lseek(file, offset, SEEK_DATA);
    if (data < 0) return size;
    offset = static_cast<off_t>(alignDown(static_cast<uint64_t>(data), segmentBytes));
    LoadedSegment& segment = pool[count++];
    segment.data.clear();
    size_t done = 0;
    while (done < segmentBytes) {
      const ssize_t got = pread(file, segment.data.data() + done, segmentBytes - done, offset + static_cast<off_t>(done));
      if (got <= 0) break;
      done += static_cast<size_t>(got);
    }
    offset += static_cast<off_t>(segmentBytes);
  }
  return offset;
}

void print(const char* what, const Totals& totals, uint64_t storedBytes) {
  const double mega = static_cast<double>(totals.nonZeroBytes) / 1e6;
  const double nonZero = static_cast<double>(std::max<uint64_t>(totals.nonZeroBytes, 1));
  std::printf("%-40s %7.0f MB non-zero, duplicate %5.1f %%, saved %5.2f %%, %5.0f MB/s, %5.0f MB/s per core, extent %5.1f KiB\n", what, mega,
              100 * static_cast<double>(totals.duplicateBytes) / nonZero, 100 * (1 - static_cast<double>(storedBytes) / nonZero),
              mega / totals.seconds, mega / totals.cpuSeconds, nonZero / 1024 / static_cast<double>(std::max<uint64_t>(totals.extents, 1)));
  std::fflush(stdout);
}

class Bench {
 public:
  explicit Bench(Options options) : m_options(std::move(options)), m_workers(m_options.threads) {
    for (size_t i = 0; i < m_key.size(); ++i) m_key[i] = static_cast<std::byte>(i * 7 + 1);
  }

  bool run() {
    auto writer = BlockWriter::open(m_fileSystem, "containers", m_recipes, m_workers);
    if (!writer) return false;
    for (const std::string& path : m_options.files)
      if (!feed(**writer, path)) return false;
    const auto begin = std::chrono::steady_clock::now();
    const double cpu = cpuSeconds();
    auto sealed = test::runTask(m_context, (*writer)->sealAll());
    if (sealed) sealed = test::runTask(m_context, commitSealed(**writer, m_recipes));
    m_totals.cpuSeconds += cpuSeconds() - cpu;
    m_totals.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    print("all", m_totals, storedBytes());
    std::printf("%zu containers, %llu segments, %llu extents, %zu hooks, duplicates %.2f %%, compressed to %.1f %% of new\n",
                m_recipes.containers().size(), static_cast<unsigned long long>(m_totals.segments),
                static_cast<unsigned long long>(m_totals.extents), m_recipes.hookCount(),
                100.0 * static_cast<double>(m_totals.duplicateBytes) / static_cast<double>(m_totals.nonZeroBytes),
                100.0 * static_cast<double>(storedBytes()) / static_cast<double>(m_totals.newBytes));
    return sealed.has_value();
  }

 private:
  bool feed(BlockWriter& writer, const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (file < 0 || fstat(file, &status) != 0) return false;
    Totals totals;
    const uint64_t storedBefore = storedBytes();
    size_t count = 0;
    bool good = true;
    for (off_t offset = 0; good && offset < status.st_size;) {
      offset = loadBatch(file, status.st_size, offset, m_batch, count);
      const auto begin = std::chrono::steady_clock::now();
      const double cpu = cpuSeconds();
      auto done = test::runTask(m_context, optimizeBatch(writer, m_recipes, m_workers, m_key, std::span(m_batch).first(count), m_options, totals));
      totals.cpuSeconds += cpuSeconds() - cpu;
      totals.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (!done) std::fprintf(stderr, "%s: %s\n", path.c_str(), done.error().message.c_str());
      good = done.has_value();
    }
    ::close(file);
    print(std::filesystem::path(path).filename().c_str(), totals, storedBytes() - storedBefore);
    m_totals.nonZeroBytes += totals.nonZeroBytes;
    m_totals.duplicateBytes += totals.duplicateBytes;
    m_totals.newBytes += totals.newBytes;
    m_totals.extents += totals.extents;
    m_totals.segments += totals.segments;
    m_totals.seconds += totals.seconds;
    m_totals.cpuSeconds += totals.cpuSeconds;
    return good;
  }

  uint64_t storedBytes() const {
    uint64_t bytes = 0;
    for (const auto& row : m_recipes.containers()) bytes += row.fileBytes;
    return bytes;
  }

  Options m_options;
  StoreKey m_key{};
  asio::io_context m_context{1};
  asio::thread_pool m_workers;
  test::SimFileSystem m_fileSystem{false};
  test::FakeRecipeTable m_recipes;
  std::vector<LoadedSegment> m_batch = std::vector<LoadedSegment>(batchSegments);
  Totals m_totals;
};

void addFiles(const std::string& path, std::vector<std::string>& files) {
  if (!std::filesystem::is_directory(path)) return files.push_back(path);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--threads" && i + 1 < argc) options.threads = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (argument == "--level" && i + 1 < argc) options.level = std::atoi(argv[++i]);
    else addFiles(argument, options.files);
  }
  if (options.files.empty() || options.threads < 1) {
    std::fprintf(stderr, "usage: dedup_bench [--threads N] [--level L] FILE-OR-FOLDER…\n");
    return 2;
  }
  return Bench(std::move(options)).run() ? 0 : 1;
}
