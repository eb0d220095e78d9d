// SPDX-License-Identifier: GPL-3.0-or-later
// Asks an NFS server for nothing (RFC 1813 procedure NULL of program 100003 version 3 over TCP): the shortest proof that it serves.
// The future gets a sentence with the answer time, or Timeout, Disconnected or Protocol. GUI thread only; returns at once.
#pragma once

#include <QString>
#include <chrono>

#include "app/client/engine_api.h"

namespace quarry {

Reply<QString> probeNfs(const QString& host, int port, std::chrono::milliseconds limit = std::chrono::seconds(5));

}  // namespace quarry
