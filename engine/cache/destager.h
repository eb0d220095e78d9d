// SPDX-License-Identifier: GPL-3.0-or-later
// Destaging: dirty blocks go to the landing files, file by file in offset order, are synced there, and free their place in the journal.
// A loop of its own starts with what has been quiet or dirty for long, takes more the fuller cache and journal are, and leaves regions that
// are being written for later. flush() takes everything.
//
// Threads: start() and stop() from one that is no loop; the loop runs on the executor given; flush() from any coroutine. Ownership: cache and
// files outlive stop(). Failure: what cannot be destaged stays dirty, is told to onProblem and tried again; nothing is lost while the engine runs,
// and what the journal holds not after.
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/steady_timer.hpp>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "engine/base/clock.h"
#include "engine/base/result.h"
#include "engine/cache/write_cache.h"

namespace quarry::cache {

class Destager {
 public:
  struct Options {
    std::chrono::seconds ageMax{30};             // of journaled blocks
    std::chrono::seconds unprotectedAgeMax{10};  // of those that a power cut would lose; they are on their way after a quarter of it
    std::function<void(const Error&)> onProblem; // once until it went well again
  };
  Destager(WriteCache& cache, const Clock& clock, asio::any_io_executor executor, Options options);

  void start();
  // Waits for what is under way; blocks stay dirty.
  void stop();
  void kick();  // the loop looks now; from any thread

  using Choice = std::function<bool(DirtyFile& file)>;
  // Everything that is dirty when it is called, of the files chosen. Returns the bytes destaged.
  Task<Result<uint64_t>> flush(Choice choice);
  Task<Result<uint64_t>> destage(std::shared_ptr<DirtyFile> file, DirtyBlocks::Selection selection);

 private:
  Task<bool> loop();
  Task<void> pause();
  std::optional<DirtyBlocks::Selection> selection();
  Task<Result<uint64_t>> destageAll(std::vector<std::shared_ptr<DirtyFile>> files, DirtyBlocks::Selection selection);
  Task<Result<uint64_t>> destageRuns(std::shared_ptr<DirtyFile> file, std::vector<BlockRange> runs);
  Task<void> keepReplayShort();
  void tell(const Result<uint64_t>& destaged);

  WriteCache& m_cache;
  const Clock& m_clock;
  const asio::any_io_executor m_executor;
  const Options m_options;
  std::optional<asio::steady_timer> m_timer;  // of the loop, while it runs: its executor may end before the destager
  std::atomic<bool> m_stopping = false, m_kicked = false;
  bool m_hasProblem = false, m_hasCheckpointProblem = false;  // of the loop
  SteadyTime m_lastCheckpoint{};              // of the loop
  struct Running;
  std::shared_ptr<Running> m_running;
};

}  // namespace quarry::cache
