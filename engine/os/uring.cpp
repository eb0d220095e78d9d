// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/uring.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <asio/associated_executor.hpp>
#include <asio/buffer.hpp>
#include <asio/execution/context.hpp>
#include <asio/this_coro.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/check.h"

namespace quarry::os {

// A started request and, in the derived class, the coroutine that waits for it.
class Uring::Operation {
 public:
  explicit Operation(const UringRequest& request) : m_request(request) {}
  virtual ~Operation() = default;
  virtual void complete(int result) = 0;
  bool isDurable() const { return m_request.kind == UringRequest::Kind::DurableWrite || m_request.kind == UringRequest::Kind::SyncData; }

  void prepare(io_uring_sqe* entry) const {
    const UringRequest& r = m_request;
    switch (r.kind) {
      case UringRequest::Kind::Read:
        io_uring_prep_read(entry, r.descriptor, r.data, static_cast<unsigned>(r.length), r.offset);
        break;
      case UringRequest::Kind::Write:
      case UringRequest::Kind::DurableWrite:
        io_uring_prep_write(entry, r.descriptor, r.data, static_cast<unsigned>(r.length), r.offset);
        if (r.kind == UringRequest::Kind::DurableWrite) entry->rw_flags = RWF_DSYNC;
        break;
      case UringRequest::Kind::SyncData:
        io_uring_prep_fsync(entry, r.descriptor, IORING_FSYNC_DATASYNC);
        break;
      case UringRequest::Kind::PunchHole:
        io_uring_prep_fallocate(entry, r.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(r.offset),
                                static_cast<off_t>(r.length));
        break;
    }
  }

 private:
  UringRequest m_request;
};

template <class Handler>
class Uring::HandlerOperation : public Uring::Operation {
 public:
  HandlerOperation(const UringRequest& request, Handler handler) : Operation(request), m_handler(std::move(handler)) {}

  void complete(int result) override {
    auto executor = asio::get_associated_executor(m_handler);
    asio::post(executor, [handler = std::move(m_handler), result]() mutable { std::move(handler)(result); });
  }

 private:
  Handler m_handler;
};

namespace {

// Cooperative task running spares the loop thread interrupts; kernels before 5.19 do not know it.
int setUpRing(io_uring* ring, unsigned entryCount) {
  io_uring_params params{};
  params.flags = IORING_SETUP_CQSIZE | IORING_SETUP_COOP_TASKRUN;
  params.cq_entries = entryCount * 8;
  const int result = io_uring_queue_init_params(entryCount, ring, &params);
  if (result != -EINVAL) return result;
  params = {};
  params.flags = IORING_SETUP_CQSIZE;
  params.cq_entries = entryCount * 8;
  return io_uring_queue_init_params(entryCount, ring, &params);
}

}  // namespace

Uring::Uring(asio::execution_context& context)
    : service(context), m_context(static_cast<asio::io_context&>(context)), m_event(m_context) {
  const Lock lock(m_mutex);
  m_setupResult = setUpRing(&m_ring, entryCount);
  if (m_setupResult < 0) return;
  const int event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  m_setupResult = event < 0 ? -errno : io_uring_register_eventfd(&m_ring, event);
  if (m_setupResult >= 0) {
    asio::error_code error;
    m_event.assign(event, error);
    if (!error) return;
    m_setupResult = -error.value();
  }
  if (event >= 0) ::close(event);
  io_uring_queue_exit(&m_ring);
}

Uring::~Uring() = default;

Result<void> Uring::checkAvailable() {
  io_uring ring{};
  const int result = setUpRing(&ring, 4);
  if (result >= 0) {
    io_uring_queue_exit(&ring);
    return {};
  }
  const std::string cause = std::string("io_uring is not available (") + std::strerror(-result) + "): ";
  if (result == -EPERM || result == -EACCES) {
    return fail(ErrorCode::NotSupported, cause + "set the kernel setting kernel.io_uring_disabled to 0 (sysctl -w kernel.io_uring_disabled=0); "
                                                 "in a container, allow the io_uring system calls");
  }
  if (result == -ENOMEM) return fail(ErrorCode::NotSupported, cause + "raise the limit of locked memory (LimitMEMLOCK, ulimit -l)");
  if (result == -ENOSYS) return fail(ErrorCode::NotSupported, cause + "it needs Linux 5.10 or newer, and kernel.io_uring_disabled must be 0");
  return fail(ErrorCode::NotSupported, cause + "check kernel.io_uring_disabled and the limits of this process");
}

Task<int> Uring::run(UringRequest request) {
  QUARRY_ASSUME(request.kind > UringRequest::Kind::DurableWrite || request.length <= UringRequest::transferBytesMax);
  auto executor = co_await asio::this_coro::executor;
  Uring& ring = asio::use_service<Uring>(asio::query(executor, asio::execution::context));
  if (ring.m_setupResult < 0) co_return ring.m_setupResult;
  const int result = co_await asio::async_initiate<const asio::use_awaitable_t<>, void(int)>(
      [](auto handler, Uring* on, UringRequest what) {
        on->start(std::make_unique<HandlerOperation<decltype(handler)>>(what, std::move(handler)));
      },
      asio::use_awaitable, &ring, request);
  co_return result;
}

// Whoever waits for stable storage has the whole disk's latency before it: such a request goes out at once, with what waits, instead of behind
// everything that the loop has to do.
void Uring::start(std::unique_ptr<Operation> operation) {
  const bool isUrgent = operation->isDurable();
  const Lock lock(m_mutex);
  m_waiting.push_back(std::move(operation));
  if (!isUrgent || (!submitWaiting() && m_inFlight == 0)) return scheduleFlush();
  watch();
}

void Uring::scheduleFlush() {
  if (std::exchange(m_flushPosted, true)) return;
  asio::post(m_context, [this] { flush(); });
}

void Uring::flush() {
  {
    const Lock lock(m_mutex);
    m_flushPosted = false;
    // The kernel may be short of memory or of completion room; room comes with completions, else the next turn tries again.
    if (!submitWaiting() && m_inFlight == 0) scheduleFlush();
    watch();
  }
  completeAll();  // what the page cache answered at once
}

void Uring::fillQueue() {
  while (!m_waiting.empty()) {
    io_uring_sqe* entry = io_uring_get_sqe(&m_ring);
    if (!entry) return;
    Operation* operation = m_waiting.front().release();
    m_waiting.pop_front();
    operation->prepare(entry);
    io_uring_sqe_set_data(entry, operation);
    ++m_inFlight;
  }
}

// False when something is left that the kernel did not take.
bool Uring::submitWaiting() {
  fillQueue();
  while (io_uring_sq_ready(&m_ring) > 0) {
    const int taken = io_uring_submit(&m_ring);
    if (taken == -EINTR) continue;
    if (taken <= 0) return false;
    fillQueue();
  }
  return true;
}

void Uring::watch() {
  if (m_watching || m_inFlight == 0) return;
  m_watching = true;
  m_event.async_read_some(asio::buffer(m_eventCount), [this](const asio::error_code& error, size_t) {
    if (error != asio::error::operation_aborted) onEvent();
  });
}

void Uring::onEvent() {
  {
    const Lock lock(m_mutex);
    m_watching = false;
  }
  completeAll();
}

void Uring::completeAll() {
  std::vector<Completion> completions;
  {
    const Lock lock(m_mutex);
    completions = takeCompletions();
    if (io_uring_sq_ready(&m_ring) > 0 || !m_waiting.empty()) scheduleFlush();
    watch();
  }
  for (Completion& completion : completions) completion.operation->complete(completion.result);
}

std::vector<Uring::Completion> Uring::takeCompletions() {
  std::vector<Completion> completions;
  io_uring_cqe* entry = nullptr;
  while (io_uring_peek_cqe(&m_ring, &entry) == 0) {
    auto* operation = static_cast<Operation*>(io_uring_cqe_get_data(entry));
    completions.push_back({std::unique_ptr<Operation>(operation), entry->res});
    io_uring_cqe_seen(&m_ring, entry);
    --m_inFlight;
  }
  return completions;
}

// Frames go only after the kernel finished all requests: one frame may own the memory of another's request.
void Uring::shutdown() {
  std::vector<Completion> completions;
  std::deque<std::unique_ptr<Operation>> waiting;
  {
    const Lock lock(m_mutex);
    waiting.swap(m_waiting);
    if (m_setupResult < 0) return;
    while (m_inFlight > 0) {
      io_uring_submit_and_wait(&m_ring, 1);
      for (Completion& completion : takeCompletions()) completions.push_back(std::move(completion));
    }
    asio::error_code ignored;
    m_event.close(ignored);
    io_uring_queue_exit(&m_ring);
    m_setupResult = -ECANCELED;
  }
}

}  // namespace quarry::os
