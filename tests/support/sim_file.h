// SPDX-License-Identifier: GPL-3.0-or-later
// A disk in RAM with sparse files, for tests of the data path: loses unsynced blocks and names at crash(), fails the n-th change, or half
// of it, with an error of choice, and fills up. Every call suspends its coroutine in the middle of its work, block by block, so
// that whatever may overlap does. Safe from any thread. Files opened before crash() must be thrown away.
#pragma once

#include <algorithm>
#include <array>
#include <asio/post.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/os/file.h"

namespace quarry::test {

class SimDisk : public os::FileSystem {
 public:
  enum class Yield { Never, PerBlock };

  explicit SimDisk(Yield yield = Yield::PerBlock) : m_state(std::make_shared<State>()) { m_state->yield = yield; }

  Result<std::unique_ptr<os::File>> open(const std::string& path, os::OpenMode mode, os::CacheMode) override {
    Lock lock(m_state->mutex);
    if (m_state->isOutOfDescriptors) return fail(ErrorCode::Busy, path + ": too many open files");
    auto found = m_state->names.find(path);
    if (found != m_state->names.end() && mode == os::OpenMode::CreateNew) return fail(ErrorCode::Exists, path);
    if (found == m_state->names.end()) {
      if (mode == os::OpenMode::ReadOnly || mode == os::OpenMode::ReadWrite) return fail(ErrorCode::Lost, path);
      found = m_state->names.emplace(path, std::make_shared<Node>()).first;
    }
    return std::make_unique<SimFile>(m_state, found->second);
  }
  Result<void> remove(const std::string& path) override {
    Lock lock(m_state->mutex);
    if (m_state->names.erase(path) == 0) return fail(ErrorCode::NotFound, path);
    return {};
  }
  Result<void> rename(const std::string&, const std::string& to) override { return fail(ErrorCode::NotSupported, to); }
  Result<void> makeDirectories(const std::string&) override { return {}; }
  Result<void> syncDirectory(const std::string& path) override {
    Lock lock(m_state->mutex);
    if (m_state->isOutOfDescriptors) return fail(ErrorCode::Busy, path + ": too many open files");
    std::erase_if(m_state->durableNames, [&](const auto& entry) { return isIn(path, entry.first); });
    for (const auto& entry : m_state->names)
      if (isIn(path, entry.first)) m_state->durableNames.insert(entry);
    return {};
  }
  Result<std::vector<os::FileInfo>> list(const std::string& path) override {
    Lock lock(m_state->mutex);
    std::vector<os::FileInfo> files;
    for (const auto& [name, node] : m_state->names)
      if (isIn(path, name)) files.push_back({name.substr(path.size() + 1), node->size, node->now.size() * blockBytes, 0});
    return files;
  }
  Result<os::DiskSpace> space(const std::string&) override {
    Lock lock(m_state->mutex);
    return os::DiskSpace{m_state->totalBytes, m_state->freeBytes};
  }
  Result<std::string> readFile(const std::string& path) override { return fail(ErrorCode::NotSupported, path); }
  Result<void> replaceFile(const std::string& path, const std::string&) override { return fail(ErrorCode::NotSupported, path); }

  // The n-th change from now (1: the next) fails once half of its blocks are done; nullopt: none.
  void failAt(std::optional<uint64_t> change, ErrorCode code) {
    Lock lock(m_state->mutex);
    m_state->failAt = change ? std::optional(m_state->changes + *change) : std::nullopt;
    m_state->failCode = code;
  }
  // Until false is given, nothing can be opened: what is open stays usable.
  void setOutOfDescriptors(bool isOut) {
    Lock lock(m_state->mutex);
    m_state->isOutOfDescriptors = isOut;
  }
  // Called once, by the next read, before it reads.
  void setOnRead(std::function<void()> onRead) {
    Lock lock(m_state->mutex);
    m_state->onRead = std::move(onRead);
  }
  void setSpace(uint64_t totalBytes, uint64_t freeBytes) {
    Lock lock(m_state->mutex);
    m_state->totalBytes = totalBytes;
    m_state->freeBytes = freeBytes;
  }
  size_t fileCount() const {
    Lock lock(m_state->mutex);
    return m_state->names.size();
  }

  // Power fails: of what was not synced, each block stays or goes by chance.
  void crash(std::mt19937_64& random) {
    Lock lock(m_state->mutex);
    m_state->failAt.reset();
    m_state->names = m_state->durableNames;
    for (auto& [name, node] : m_state->names) node->crash(random);
  }

 private:
  using Block = std::array<std::byte, blockBytes>;
  using Blocks = std::map<uint64_t, std::shared_ptr<const Block>>;  // by block number; a missing one is a hole

  struct Node {
    Blocks now, durable;
    uint64_t size = 0;

    void crash(std::mt19937_64& random) {
      Blocks both = now;
      both.insert(durable.begin(), durable.end());
      for (const auto& [number, block] : both)
        if (random() % 2) copy(now, durable, number);
      now = durable;
    }
    static void copy(const Blocks& from, Blocks& to, uint64_t number) {
      const auto found = from.find(number);
      if (found == from.end()) to.erase(number);
      else to[number] = found->second;
    }
  };
  struct State {
    mutable Mutex mutex;
    Yield yield = Yield::PerBlock;
    std::map<std::string, std::shared_ptr<Node>> names GUARDED_BY(mutex), durableNames GUARDED_BY(mutex);
    uint64_t changes GUARDED_BY(mutex) = 0;
    std::optional<uint64_t> failAt GUARDED_BY(mutex);
    ErrorCode failCode GUARDED_BY(mutex) = ErrorCode::IoError;
    bool isOutOfDescriptors GUARDED_BY(mutex) = false;
    std::function<void()> onRead GUARDED_BY(mutex);
    uint64_t totalBytes GUARDED_BY(mutex) = 1ull << 40, freeBytes GUARDED_BY(mutex) = 1ull << 39;

    void noteRead() {
      std::function<void()> told;
      {
        Lock lock(mutex);
        told = std::exchange(onRead, {});
      }
      if (told) told();
    }
    std::optional<Error> change() {
      Lock lock(mutex);
      ++changes;
      if (failAt && changes == *failAt) return Error{failCode, "simulated failure"};
      return std::nullopt;
    }
  };

  class SimFile : public os::File {
   public:
    SimFile(std::shared_ptr<State> state, std::shared_ptr<Node> node) : m_state(std::move(state)), m_node(std::move(node)) {}

    Task<Result<uint64_t>> readAt(uint64_t offset, MutableBytes into) override {
      m_state->noteRead();
      for (uint64_t done = 0; done < into.size(); done += blockBytes) {
        co_await yield();
        Lock lock(m_state->mutex);
        if (offset + done >= m_node->size) co_return done;
        const auto found = m_node->now.find((offset + done) / blockBytes);
        if (found == m_node->now.end()) std::memset(into.data() + done, 0, blockBytes);
        else std::memcpy(into.data() + done, found->second->data(), blockBytes);
      }
      co_return uint64_t{into.size()};
    }
    Task<Result<void>> writeAt(uint64_t offset, Bytes data, os::Durability durability) override {
      const std::optional<Error> failure = m_state->change();
      const uint64_t length = failure ? alignDown(data.size() / 2, blockBytes) : data.size();
      for (uint64_t done = 0; done < length; done += blockBytes) {
        co_await yield();
        auto block = std::make_shared<Block>();
        std::memcpy(block->data(), data.data() + done, blockBytes);
        Lock lock(m_state->mutex);
        m_node->now[(offset + done) / blockBytes] = std::move(block);
        m_node->size = std::max(m_node->size, offset + done + blockBytes);
      }
      co_await yield();
      if (failure) co_return fail(*failure);
      Lock lock(m_state->mutex);
      if (durability == os::Durability::Durable)
        for (uint64_t at = offset; at < offset + length; at += blockBytes) Node::copy(m_node->now, m_node->durable, at / blockBytes);
      co_return Result<void>{};
    }
    Task<Result<void>> sync() override {
      if (const auto failure = m_state->change()) co_return fail(*failure);
      co_await yield();
      Lock lock(m_state->mutex);
      m_node->durable = m_node->now;
      co_return Result<void>{};
    }
    Task<Result<void>> punchHole(os::ByteRange range) override {
      if (const auto failure = m_state->change()) co_return fail(*failure);
      for (uint64_t at = range.offset / blockBytes;; ++at) {
        co_await yield();
        Lock lock(m_state->mutex);
        const auto found = m_node->now.lower_bound(at);
        if (found == m_node->now.end() || found->first * blockBytes >= range.offset + range.length) break;
        at = found->first;
        m_node->now.erase(found);
      }
      co_return Result<void>{};
    }
    Task<Result<void>> resize(uint64_t size) override {
      Lock lock(m_state->mutex);
      m_node->size = size;
      m_node->now.erase(m_node->now.lower_bound(alignUp(size, blockBytes) / blockBytes), m_node->now.end());
      co_return Result<void>{};
    }
    Result<std::vector<os::ByteRange>> dataRanges(uint64_t from, uint64_t to) override {
      Lock lock(m_state->mutex);
      std::vector<os::ByteRange> ranges;
      for (auto at = m_node->now.lower_bound(from / blockBytes); at != m_node->now.end() && at->first * blockBytes < to; ++at)
        ranges.push_back({at->first * blockBytes, blockBytes});
      return ranges;
    }
    Result<uint64_t> size() override {
      Lock lock(m_state->mutex);
      return uint64_t{m_node->size};
    }
    Result<uint64_t> allocatedBytes() override {
      Lock lock(m_state->mutex);
      return m_node->now.size() * blockBytes;
    }

   private:
    Task<void> yield() {
      if (m_state->yield == Yield::Never) co_return;
      const auto executor = co_await asio::this_coro::executor;
      co_await asio::post(executor, asio::use_awaitable);
    }

    std::shared_ptr<State> m_state;
    std::shared_ptr<Node> m_node;
  };

  static bool isIn(const std::string& folder, const std::string& path) {
    return path.size() > folder.size() + 1 && path.starts_with(folder + "/") && path.find('/', folder.size() + 1) == std::string::npos;
  }

  std::shared_ptr<State> m_state;
};

}  // namespace quarry::test
