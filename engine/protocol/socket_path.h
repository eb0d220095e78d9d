// SPDX-License-Identifier: GPL-3.0-or-later
// Where the engine's control socket is unless --control says otherwise; the engine, quarryctl and the console share the rule.
#pragma once

#include <string>

namespace quarry::protocol {

// $XDG_RUNTIME_DIR/quarry/control.sock; without that variable /run/quarry/control.sock for root and
// /tmp/quarry-UID/control.sock for anybody else. Reads the environment: call before other threads change it.
std::string defaultControlSocket();

// The same rule on given values; runtimeFolder empty: not set.
std::string controlSocketFor(const std::string& runtimeFolder, unsigned userId);

}  // namespace quarry::protocol
