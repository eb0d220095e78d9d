// SPDX-License-Identifier: GPL-3.0-or-later
// The io_uring of one io_context: asio::use_service<Uring>(context) makes it on first use. Requests that coroutines of one loop turn
// start are submitted together by one posted flush; completions arrive through an eventfd that Asio reads, only while something is
// in flight, so an idle ring does not keep the io_context running.
//
// Threads: safe from any that runs the io_context; made for one. Memory and descriptor of a request belong to the caller and must
// live until it completes. Destroying the io_context waits for what the kernel still works on before any coroutine frame goes, so
// the kernel never writes into freed memory.
// Failure: run() gives what the kernel answered, negative errno included. When the system has no usable io_uring, every run()
// fails with that errno; checkAvailable() says why in a sentence.
#pragma once

#include <liburing.h>

#include <array>
#include <asio/any_io_executor.hpp>
#include <asio/execution_context.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"

namespace quarry::os {

struct UringRequest {
  enum class Kind { Read, Write, DurableWrite, SyncData, PunchHole };
  Kind kind = Kind::Read;
  int descriptor = -1;
  std::byte* data = nullptr;  // of reads and writes; a write does not change it
  uint64_t offset = 0;
  uint64_t length = 0;        // bytes; of reads and writes at most transferBytesMax

  static constexpr uint64_t transferBytesMax = 256 * 1024 * 1024;
};

class Uring : public asio::execution_context::service {
 public:
  using key_type = Uring;
  inline static asio::execution_context::id id;

  // REQUIRES: `context` is an io_context.
  explicit Uring(asio::execution_context& context);
  ~Uring() override;

  // Runs the request on the ring of the calling coroutine's io_context. Returns the kernel's result: a count, or -errno.
  static Task<int> run(UringRequest request);

  // Whether this system lets us use io_uring; NotSupported names the cause and the setting to change.
  static Result<void> checkAvailable();

 private:
  class Operation;
  template <class Handler>
  class HandlerOperation;
  struct Completion {
    std::unique_ptr<Operation> operation;
    int result = 0;
  };
  static constexpr unsigned entryCount = 256;

  void shutdown() override;
  void start(std::unique_ptr<Operation> operation);
  void flush();
  bool submitWaiting() REQUIRES(m_mutex);
  void fillQueue() REQUIRES(m_mutex);
  void scheduleFlush() REQUIRES(m_mutex);
  void watch() REQUIRES(m_mutex);
  void onEvent();
  void completeAll();
  std::vector<Completion> takeCompletions() REQUIRES(m_mutex);

  asio::io_context& m_context;
  int m_setupResult = 0;                                   // constant after construction; negative: no ring
  Mutex m_mutex;
  io_uring m_ring GUARDED_BY(m_mutex){};
  asio::posix::stream_descriptor m_event GUARDED_BY(m_mutex);
  std::array<std::byte, 8> m_eventCount{};                 // where the eventfd is read to; its value does not matter
  std::deque<std::unique_ptr<Operation>> m_waiting GUARDED_BY(m_mutex);  // not in the submission queue yet
  uint64_t m_inFlight GUARDED_BY(m_mutex) = 0;             // in the submission queue or in the kernel
  bool m_flushPosted GUARDED_BY(m_mutex) = false;
  bool m_watching GUARDED_BY(m_mutex) = false;
};

}  // namespace quarry::os
