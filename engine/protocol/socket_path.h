// SPDX-License-Identifier: GPL-3.0-or-later
// Where the engine's control socket is unless --control says otherwise; the engine, quarryctl and the console share the rule. The functions
// without arguments read the environment: call them before other threads change it.
#pragma once

#include <string>
#include <vector>

namespace quarry::protocol {

// Where an engine of this user listens: the first of controlSocketsFor().
std::string defaultControlSocket();

// Where a client of this user finds the engine: the first of controlSocketsFor() that is a socket it may use, else the first.
std::string findControlSocket();

// Root's is always /run/quarry/control.sock, for a service and a login session differ in their environment. Anybody else's is
// $XDG_RUNTIME_DIR/quarry/control.sock, or /tmp/quarry-UID/control.sock without that variable; a client looks at all three, best first.
// runtimeFolder empty: not set.
std::vector<std::string> controlSocketsFor(const std::string& runtimeFolder, unsigned userId);

}  // namespace quarry::protocol
