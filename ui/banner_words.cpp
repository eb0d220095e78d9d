// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/banner_words.h"

#include <QCoreApplication>

#include "app/client/engine_api.h"
#include "app/client/engine_process.h"
#include "app/models/model_feed.h"

namespace quarry {

namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(BannerWords)
};

QString retry() { return Words::tr("Retry &now"); }

// An engine's words as a sentence that another one can follow.
QString sentence(QString words) {
  words = words.trimmed();
  if (!words.isEmpty() && !words.endsWith(u'.')) words += u'.';
  return words;
}

std::optional<BannerWords> storeWords(const ModelFeed& feed) {
  if (!feed.status() || feed.status()->state != protocol::StoreState::ReadOnly) return std::nullopt;
  const QString reason = sentence(QString::fromStdString(feed.status()->reason));
  return BannerWords{ColorRole::Bad,
                     Words::tr("The store is read-only: %1 Hosts get write errors. Check the disk, then restart the engine.").arg(reason),
                     {}};
}

BannerWords lostWords(const EngineApi& engine, bool hasValues) {
  const QString why = engine.connectionText();
  QString text = why.isEmpty() ? Words::tr("The engine is not reached. Reconnecting…")
                               : Words::tr("The engine is not reached (%1). Reconnecting…").arg(why);
  if (hasValues) text += u' ' + Words::tr("The values below are the last known ones.");
  return {ColorRole::Bad, text, retry()};
}

}  // namespace

std::optional<BannerWords> bannerWords(const ConsoleContext& context) {
  using Connection = EngineApi::Connection;
  using State = EngineProcess::State;
  const Connection connection = context.engine.connection();
  if (connection == Connection::Connected) return storeWords(context.feed);
  if (connection == Connection::Incompatible) return BannerWords{ColorRole::Bad, context.engine.connectionText(), retry()};
  const QString reason = sentence(context.process.reason());
  switch (context.process.state()) {
    case State::Starting: return BannerWords{ColorRole::Warning, Words::tr("The engine is starting…"), {}};
    case State::Restarting:
      return BannerWords{ColorRole::Warning, Words::tr("The engine stopped: %1 It is being started again.").arg(reason), {}};
    case State::Stopping: return BannerWords{ColorRole::Warning, Words::tr("The engine is being stopped…"), {}};
    case State::Failed: return BannerWords{ColorRole::Bad, Words::tr("The engine could not be started: %1").arg(reason), retry()};
    case State::Running:
    case State::Stopped: break;
  }
  if (connection == Connection::Lost) return lostWords(context.engine, context.feed.isLoaded());
  if (!context.feed.isLoaded()) return std::nullopt;
  return BannerWords{ColorRole::Warning, Words::tr("Reconnecting to the engine… The values below are the last known ones."), {}};
}

}  // namespace quarry
