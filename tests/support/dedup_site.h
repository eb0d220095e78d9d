// SPDX-License-Identifier: GPL-3.0-or-later
// A small site for dedup jobs: files with landing data in RAM, recipes, a simulated disk for containers, and what each file must read as.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/dedup/optimizer.h"
#include "tests/support/fake_file_data.h"
#include "tests/support/fake_recipe_table.h"
#include "tests/support/made_blocks.h"
#include "tests/support/manual_clock.h"
#include "tests/support/run_task.h"
#include "tests/support/sim_file_system.h"

namespace quarry::test {

class RecordingMonitor : public dedup::JobMonitor {
 public:
  bool stop = false;
  std::vector<std::string> notes, problems;
  std::function<void(const std::string&)> onFile;

  bool stopRequested() const override { return stop; }
  void setCurrentFile(std::string path) override {
    if (onFile) onFile(path);
  }
  void note(std::string line) override { notes.push_back(std::move(line)); }
  void problem(std::string line) override { problems.push_back(std::move(line)); }
  void add(dedup::Counter counter, uint64_t by) override { m_counts[counter] += by; }
  uint64_t count(dedup::Counter counter) const {
    const auto found = m_counts.find(counter);
    return found == m_counts.end() ? 0 : found->second;
  }
  bool hasNote(const std::string& part) const { return has(notes, part); }
  bool hasProblem(const std::string& part) const { return has(problems, part); }

 private:
  static bool has(const std::vector<std::string>& lines, const std::string& part) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

  std::map<dedup::Counter, uint64_t> m_counts;
};

class DedupSite : public dedup::FileSource {
 public:
  struct File {
    dedup::SourceFile source;
    std::shared_ptr<FakeFileData> data;
    std::vector<std::byte> expected;
    uint64_t truncateCounter = 0;
    bool removed = false;
  };

  SimFileSystem fileSystem;
  FakeRecipeTable recipes;
  ManualClock clock;
  asio::thread_pool workers{2};
  blockstore::StoreKey key = madeKey();
  std::map<metadata::FileId, File> files;
  std::function<uint64_t()> availableBytes = [] { return uint64_t{1} << 40; };
  std::atomic<bool> isReadOnly = false;

  // A file that is landed whole. The size is a multiple of 4 MiB.
  File& addFile(const std::string& path, const std::vector<std::byte>& content) {
    const metadata::FileId fileid = files.size() + 2;
    File& file = files[fileid];
    file.source = {.fileid = fileid, .vstorage = "main", .vm = "", .path = path, .sizeBytes = content.size(), .policy = {}};
    file.source.policy.minAgeSeconds = 0;
    file.data = std::make_shared<FakeFileData>(fileid, recipes);
    file.expected.resize(content.size());
    write(file, 0, content);
    return file;
  }
  void write(File& file, uint64_t offset, Bytes data) {
    file.data->put(offset, data);
    std::copy(data.begin(), data.end(), file.expected.begin() + static_cast<ptrdiff_t>(offset));
  }

  Result<void> optimize(RecordingMonitor& monitor, std::optional<std::chrono::seconds> minAge = std::nullopt) {
    dedup::Optimizer optimizer({.fileSystem = fileSystem, .containerFolder = "c", .recipes = recipes, .source = *this, .key = key,
                                .workers = workers, .workerCount = 2, .clock = clock, .availableBytes = availableBytes},
                               {}, minAge, monitor);
    asio::io_context context;
    return runTask(context, optimizer.run());
  }

  // Empty when every file reads as it must.
  std::string wrongFile() {
    auto store = blockstore::BlockStore::open(fileSystem, "c", recipes, key, workers);
    for (auto& [fileid, file] : files) {
      if (file.removed) continue;
      file.data->setBlockStore(store.get());
      std::vector<std::byte> segment(segmentBytes);
      for (uint64_t offset = 0; offset < file.expected.size(); offset += segmentBytes) {
        asio::io_context context;
        const auto read = runTask(context, file.data->read(offset, segment));
        if (!read) return file.source.path + ": " + read.error().message;
        if (std::memcmp(segment.data(), file.expected.data() + offset, segmentBytes) != 0) return file.source.path + " differs";
      }
    }
    return {};
  }
  uint64_t landedBytes() const {
    uint64_t bytes = 0;
    for (const auto& [fileid, file] : files) bytes += file.removed ? 0 : file.data->landedBytesNow();
    return bytes;
  }

  Result<std::vector<dedup::SourceFile>> list(const dedup::Selection&) const override {
    std::vector<dedup::SourceFile> all;
    for (const auto& [fileid, file] : files)
      if (!file.removed) all.push_back(file.source);
    return all;
  }
  Task<Result<std::shared_ptr<FileData>>> open(metadata::FileId fileid) override {
    const File& file = files.at(fileid);
    if (file.removed) co_return fail(ErrorCode::Stale, "removed");
    co_return std::shared_ptr<FileData>(file.data);
  }
  std::optional<uint64_t> truncateCounter(metadata::FileId fileid) const override {
    const File& file = files.at(fileid);
    return file.removed ? std::nullopt : std::optional(file.truncateCounter);
  }
  Result<void> checkWritable() const override {
    if (isReadOnly) return fail(ErrorCode::ReadOnly, "a test");
    return {};
  }
};

// Segments of blocks with the seeds first, first + 1, …; every `zeroEvery`-th block is zero.
inline std::vector<std::byte> madeSegments(size_t count, uint64_t first, size_t zeroEvery = 0) {
  std::vector<uint64_t> seeds(count * segmentBlocks);
  for (size_t i = 0; i < seeds.size(); ++i) seeds[i] = zeroEvery && i % zeroEvery == 0 ? 0 : first + i;
  return madeBlocks(seeds);
}

}  // namespace quarry::test
