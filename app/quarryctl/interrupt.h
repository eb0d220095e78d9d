// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C (SIGINT, SIGTERM) as a flag for as long as an object lives; waiting system calls return early. One object at a time,
// made and asked by the main thread.
#pragma once

#include <csignal>

namespace quarry::ctl {

class Interrupt {
 public:
  Interrupt() {
    s_seen = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { s_seen = 1; };
    ::sigaction(SIGINT, &action, &m_oldInterrupt);
    ::sigaction(SIGTERM, &action, &m_oldTerminate);
  }
  ~Interrupt() {
    ::sigaction(SIGINT, &m_oldInterrupt, nullptr);
    ::sigaction(SIGTERM, &m_oldTerminate, nullptr);
  }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool seen() const { return s_seen != 0; }

 private:
  inline static volatile std::sig_atomic_t s_seen = 0;
  struct sigaction m_oldInterrupt {};
  struct sigaction m_oldTerminate {};
};

}  // namespace quarry::ctl
