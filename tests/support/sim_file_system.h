// SPDX-License-Identifier: GPL-3.0-or-later
// A file system in RAM that can lose power: crash() forgets what was not synced (or, block by block, a random part of it), names that
// syncDirectory() did not cover included. It can also fail from the n-th change on, as a disk that dies or fills up does.
//
// Threads: safe from any; nothing ever waits. Opened files stay usable after crash() but belong to the time before: throw them away.
#pragma once

#include <algorithm>
#include <asio/post.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/os/file.h"

namespace quarry::test {

class SimFileSystem : public os::FileSystem {
 public:
  enum class Keep { Nothing, RandomBlocks };  // of what was not synced

  // Without durability, sync() is free and crash() must not be called: for benchmarks.
  explicit SimFileSystem(bool tracksDurability = true) : m_state(std::make_shared<State>()) { m_state->tracksDurability = tracksDurability; }

  Result<std::unique_ptr<os::File>> open(const std::string& path, os::OpenMode mode, os::CacheMode) override {
    Lock lock(m_state->mutex);
    auto found = m_state->names.find(path);
    if (found != m_state->names.end() && mode == os::OpenMode::CreateNew) return fail(ErrorCode::Exists, path);
    if (found == m_state->names.end()) {
      if (mode == os::OpenMode::ReadOnly || mode == os::OpenMode::ReadWrite) return fail(ErrorCode::Lost, path);
      if (auto allowed = m_state->change(); !allowed) return fail(allowed.error());
      found = m_state->names.emplace(path, std::make_shared<Node>()).first;
    }
    return std::make_unique<SimFile>(m_state, found->second);
  }
  Result<void> remove(const std::string& path) override {
    Lock lock(m_state->mutex);
    if (auto allowed = m_state->change(); !allowed) return allowed;
    if (m_state->names.erase(path) == 0) return fail(ErrorCode::NotFound, path);
    return {};
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    Lock lock(m_state->mutex);
    if (auto allowed = m_state->change(); !allowed) return allowed;
    const auto found = m_state->names.find(from);
    if (found == m_state->names.end()) return fail(ErrorCode::NotFound, from);
    m_state->names[to] = found->second;
    m_state->names.erase(from);
    return {};
  }
  Result<void> makeDirectories(const std::string&) override { return {}; }
  Result<void> syncDirectory(const std::string& path) override {
    Lock lock(m_state->mutex);
    if (auto allowed = m_state->change(); !allowed) return allowed;
    std::erase_if(m_state->durableNames, [&](const auto& entry) { return isIn(path, entry.first); });
    for (const auto& entry : m_state->names)
      if (isIn(path, entry.first)) m_state->durableNames.insert(entry);
    return {};
  }
  Result<std::vector<os::FileInfo>> list(const std::string& path) override {
    Lock lock(m_state->mutex);
    std::vector<os::FileInfo> files;
    for (const auto& [name, node] : m_state->names)
      if (isIn(path, name)) files.push_back({.name = name.substr(path.size() + 1), .size = node->now.size(), .allocatedBytes = node->now.size()});
    return files;
  }
  Result<os::DiskSpace> space(const std::string&) override { return os::DiskSpace{.totalBytes = 1ull << 40, .freeBytes = 1ull << 39}; }
  Result<std::string> readFile(const std::string& path) override { return fail(ErrorCode::NotSupported, path); }
  Result<void> replaceFile(const std::string& path, const std::string&) override { return fail(ErrorCode::NotSupported, path); }

  // The n-th change from now (1: the next) and all later ones fail; nullopt: none.
  void failFrom(std::optional<uint64_t> change, ErrorCode code = ErrorCode::IoError) {
    Lock lock(m_state->mutex);
    m_state->failFrom = change ? std::optional(m_state->changes + *change) : std::nullopt;
    m_state->failCode = code;
  }
  // A write lets whatever else is ready run before it ends, as a disk does.
  void letWritesTakeTurns() { m_state->writesTakeTurns = true; }
  // A write that fails has been handed to the disk all the same: crash(RandomBlocks) then tears it.
  void letFailedWritesReachTheDisk() {
    Lock lock(m_state->mutex);
    m_state->failedWritesReachTheDisk = true;
  }
  uint64_t changes() const {
    Lock lock(m_state->mutex);
    return m_state->changes;
  }

  void crash(Keep keep, std::mt19937_64& random) {
    Lock lock(m_state->mutex);
    m_state->failFrom.reset();
    m_state->names = m_state->durableNames;
    for (auto& [name, node] : m_state->names) node->crash(keep, random);
  }

  // The bytes of a file, for a test to look at or to damage. Null when there is none.
  std::vector<std::byte>* bytes(const std::string& path) {
    Lock lock(m_state->mutex);
    const auto found = m_state->names.find(path);
    return found == m_state->names.end() ? nullptr : &found->second->now;
  }

 private:
  struct Node {
    std::vector<std::byte> now, durable;

    void crash(Keep keep, std::mt19937_64& random) {
      if (keep == Keep::RandomBlocks) {
        if (random() % 2) durable.resize(now.size());
        for (size_t at = 0; at < std::min(now.size(), durable.size()); at += blockBytes) {
          const size_t length = std::min<size_t>(blockBytes, std::min(now.size(), durable.size()) - at);
          if (random() % 2) std::copy_n(now.begin() + static_cast<ptrdiff_t>(at), length, durable.begin() + static_cast<ptrdiff_t>(at));
        }
      }
      now = durable;
    }
  };
  struct State {
    mutable Mutex mutex;
    std::map<std::string, std::shared_ptr<Node>> names GUARDED_BY(mutex), durableNames GUARDED_BY(mutex);
    bool tracksDurability = true;
    std::atomic<bool> writesTakeTurns = false;
    uint64_t changes GUARDED_BY(mutex) = 0;
    std::optional<uint64_t> failFrom GUARDED_BY(mutex);
    ErrorCode failCode GUARDED_BY(mutex) = ErrorCode::IoError;
    bool failedWritesReachTheDisk GUARDED_BY(mutex) = false;

    Result<void> change() REQUIRES(mutex) {
      ++changes;
      if (failFrom && changes >= *failFrom) return fail(failCode, "simulated failure");
      return {};
    }
  };

  class SimFile : public os::File {
   public:
    SimFile(std::shared_ptr<State> state, std::shared_ptr<Node> node) : m_state(std::move(state)), m_node(std::move(node)) {}

    Task<Result<uint64_t>> readAt(uint64_t offset, MutableBytes into) override {
      Lock lock(m_state->mutex);
      const auto& bytes = m_node->now;
      if (offset >= bytes.size()) co_return uint64_t{0};
      const size_t count = std::min<size_t>(into.size(), bytes.size() - offset);
      std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(offset), count, into.begin());
      co_return uint64_t{count};
    }
    Task<Result<void>> writeAt(uint64_t offset, Bytes data, os::Durability durability) override {
      if (m_state->writesTakeTurns) {
        const auto executor = co_await asio::this_coro::executor;
        co_await asio::post(executor, asio::use_awaitable);
      }
      Lock lock(m_state->mutex);
      const auto allowed = m_state->change();
      if (!allowed && !m_state->failedWritesReachTheDisk) co_return allowed;
      if (m_node->now.size() < offset + data.size()) m_node->now.resize(offset + data.size());
      std::copy(data.begin(), data.end(), m_node->now.begin() + static_cast<ptrdiff_t>(offset));
      if (!allowed) co_return allowed;
      if (durability == os::Durability::Durable && m_state->tracksDurability) {
        // This range and no other, as with RWF_DSYNC.
        if (m_node->durable.size() < offset + data.size()) m_node->durable.resize(offset + data.size());
        std::copy(data.begin(), data.end(), m_node->durable.begin() + static_cast<ptrdiff_t>(offset));
      }
      co_return Result<void>{};
    }
    Task<Result<void>> sync() override {
      Lock lock(m_state->mutex);
      if (auto allowed = m_state->change(); !allowed) co_return allowed;
      if (m_state->tracksDurability) m_node->durable = m_node->now;
      co_return Result<void>{};
    }
    Task<Result<void>> punchHole(os::ByteRange range) override {
      Lock lock(m_state->mutex);
      if (auto allowed = m_state->change(); !allowed) co_return allowed;
      for (uint64_t at = range.offset; at < std::min<uint64_t>(range.offset + range.length, m_node->now.size()); ++at)
        m_node->now[at] = std::byte{0};
      co_return Result<void>{};
    }
    Task<Result<void>> resize(uint64_t size) override {
      Lock lock(m_state->mutex);
      if (auto allowed = m_state->change(); !allowed) co_return allowed;
      m_node->now.resize(size);
      co_return Result<void>{};
    }
    Result<std::vector<os::ByteRange>> dataRanges(uint64_t, uint64_t) override { return fail(ErrorCode::NotSupported, "simulated"); }
    Result<uint64_t> size() override {
      Lock lock(m_state->mutex);
      return uint64_t{m_node->now.size()};
    }
    Result<uint64_t> allocatedBytes() override { return size(); }

   private:
    std::shared_ptr<State> m_state;
    std::shared_ptr<Node> m_node;
  };

  static bool isIn(const std::string& folder, const std::string& path) {
    return path.size() > folder.size() + 1 && path.starts_with(folder + "/") && path.find('/', folder.size() + 1) == std::string::npos;
  }

  std::shared_ptr<State> m_state;
};

}  // namespace quarry::test
