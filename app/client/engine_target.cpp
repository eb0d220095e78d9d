// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/engine_target.h"

#include <QFileInfo>

namespace quarry {

Result<EngineTarget> parseEngineTarget(const QString& text) {
  if (text.isEmpty() || text == QLatin1String("local")) return EngineTarget{};
  if (text.startsWith(QLatin1String("ssh://")))
    return fail(ErrorCode::NotSupported, "engines over SSH come in a later version; run the console on the engine's machine");
  const bool isPath = text.contains(QLatin1Char('/')) && !text.contains(QLatin1String("://"));
  if (!isPath) return fail(ErrorCode::InvalidArgument, "engine '" + text.toStdString() + "' is neither local nor the path of a control socket");
  return EngineTarget{.kind = EngineTarget::Kind::Socket, .socketPath = QFileInfo(text).absoluteFilePath()};
}

}  // namespace quarry
