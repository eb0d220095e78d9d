// SPDX-License-Identifier: GPL-3.0-or-later
// std::mutex with clang's thread-safety annotations: members say GUARDED_BY(m_mutex), and clang's -Wthread-safety checks it.
#pragma once

#include <condition_variable>
#include <mutex>

#ifdef __clang__
#define QUARRY_ANNOTATION(x) __attribute__((x))
#else
#define QUARRY_ANNOTATION(x)
#endif
#define CAPABILITY(x) QUARRY_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY QUARRY_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) QUARRY_ANNOTATION(guarded_by(x))
#define REQUIRES(...) QUARRY_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) QUARRY_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) QUARRY_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) QUARRY_ANNOTATION(release_capability(__VA_ARGS__))

namespace quarry {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { m_mutex.lock(); }
  void unlock() RELEASE() { m_mutex.unlock(); }

 private:
  std::mutex m_mutex;
};

// Holds a Mutex for a scope. Never across a co_await: the coroutine may resume elsewhere.
class SCOPED_CAPABILITY Lock {
 public:
  explicit Lock(Mutex& mutex) ACQUIRE(mutex) : m_mutex(mutex) { m_mutex.lock(); }
  ~Lock() RELEASE() { m_mutex.unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Mutex& m_mutex;
};

// A condition variable for Mutex. wait() REQUIRES the mutex held and returns with it held.
class Condition {
 public:
  void wait(Mutex& mutex) REQUIRES(mutex) { m_condition.wait(mutex); }
  template <class Duration>
  bool waitFor(Mutex& mutex, Duration duration) REQUIRES(mutex) {
    return m_condition.wait_for(mutex, duration) == std::cv_status::no_timeout;
  }
  void notifyOne() { m_condition.notify_one(); }
  void notifyAll() { m_condition.notify_all(); }

 private:
  std::condition_variable_any m_condition;
};

}  // namespace quarry
