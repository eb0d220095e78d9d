// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the engine's program whether a folder can be a store: `quarryd --store DIR --check` prints one JSON document and leaves
// nothing behind. GUI thread only; returns at once. A folder that is no good is a StoreCheck with ok == false, not an error; errors are
// NotFound (no program), Timeout and Protocol (it printed something else).
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <chrono>

#include "app/client/engine_api.h"
#include "app/format/cache_text.h"
#include "engine/base/result.h"

namespace quarry {

struct StoreCheckItem {
  QString name;  // of the engine's own list: "folder", "hole-punching", …
  bool ok = false;
  QString text;  // a sentence for the administrator
  bool warning = false;  // ok, but the text is worth reading
};

struct StoreCheck {
  QString path;
  bool ok = false;
  QList<StoreCheckItem> checks;
  quint64 freeBytes = 0;
  quint64 diskBytes = 0;
  quint64 writeBytesPerSecond = 0;
  bool existingStore = false;
  CacheRoom cacheRoom = {};  // not known from an engine that says nothing of it
};

Reply<StoreCheck> runStoreCheck(const QString& program, const QString& path, std::chrono::milliseconds limit);

// The document that the program prints; Protocol when it is none.
Result<StoreCheck> parseStoreCheck(const QByteArray& json);

}  // namespace quarry
