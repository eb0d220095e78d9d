// SPDX-License-Identifier: GPL-3.0-or-later
// Which engine the console is to use, as `--engine` and the settings say it. Pure function, safe from any thread.
#pragma once

#include <QString>

#include "engine/base/result.h"

namespace quarry {

struct EngineTarget {
  enum class Kind { Local, Socket };
  Kind kind = Kind::Local;
  QString socketPath;  // of Kind::Socket, absolute
};

// "local" or the path of a control socket. ssh://… is NotSupported in this version, anything else InvalidArgument.
Result<EngineTarget> parseEngineTarget(const QString& text);

}  // namespace quarry
