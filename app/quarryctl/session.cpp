// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/session.h"

#include <cstdio>

#include "app/quarryctl/table.h"

namespace quarry::ctl {

Result<std::string> Session::call(std::string_view method, std::string_view params) {
  if (!m_connected) {
    if (const auto connected = m_client.connect(socketPath); !connected) return fail(connected.error());
    m_connected = true;
  }
  return m_client.call(method, params);
}

void Session::refuse(const Error& error) { refuse(error.message); }

void Session::refuse(std::string_view reason) {
  std::fprintf(stderr, "quarryctl: %s\n", printable(reason).c_str());
  exitStatus = 1;
}

void Session::warn(std::string_view text) { std::fprintf(stderr, "quarryctl: warning: %s\n", printable(text).c_str()); }

void Session::print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void Session::finishOutput() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) refuse("the result could not be written: the output is full or closed");
}

void Session::printJson(std::string_view text) const {
  print(text);
  print("\n");
}

}  // namespace quarry::ctl
