// SPDX-License-Identifier: GPL-3.0-or-later
// What every command needs: where the engine is, how to print, and the exit status (0 done, 1 refused or failed, 2 wrong usage).
// Connects with the first call. One thread, one command per process.
#pragma once

#include <string>
#include <string_view>

#include "app/quarryctl/control_client.h"
#include "engine/base/result.h"
#include "engine/protocol/codec.h"

namespace quarry::ctl {

class Session {
 public:
  std::string socketPath;
  bool json = false;
  int exitStatus = 0;

  Result<std::string> call(std::string_view method, std::string_view params);
  ControlClient& client() { return m_client; }

  // One line of reason on stderr; exit status 1.
  void refuse(const Error& error);
  void refuse(std::string_view reason);
  static void warn(std::string_view text);                 // one line on stderr; the exit status stays
  static void print(std::string_view text);                // stdout
  void finishOutput();                                     // refuses when what was printed did not get out, as on a full disk
  void printJson(std::string_view text) const;             // stdout, one line

  // Calls, then prints the result as it came (--json) or as show(value) makes text of it.
  template <class Value, class Show>
  void show(std::string_view method, std::string_view params, Show toText) {
    const Result<std::string> reply = call(method, params);
    if (!reply) return refuse(reply.error());
    if (json) return printJson(*reply);
    const Result<Value> value = protocol::fromJson<Value>(*reply);
    if (!value) return refuse(value.error());
    print(toText(*value));
  }

 private:
  ControlClient m_client;
  bool m_connected = false;
};

}  // namespace quarry::ctl
