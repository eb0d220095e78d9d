// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps history and models up to date from one engine: lists all of it at each connect, follows the notifications, and asks again every
// few seconds for what has none (status, sizes). Subscribes to the union of what pages watch. GUI thread only; everything given to it must
// outlive it. While the engine is lost the last values stay.
#pragma once

#include <QMap>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <optional>
#include <vector>

#include "app/client/engine_api.h"
#include "app/models/stat_history.h"
#include "engine/protocol/messages.h"

namespace quarry {

class CacheModel;
class EventModel;
class JobModel;
class StatModel;
class VmModel;
class VstorageModel;

class ModelFeed : public QObject {
  Q_OBJECT
 public:
  struct Targets {
    StatHistory& history;
    StatModel& stats;
    VstorageModel& vstorages;
    VmModel& vms;
    JobModel& jobs;
    EventModel& events;
    CacheModel& cache;
  };
  static constexpr std::chrono::milliseconds refreshInterval{5'000};
  static constexpr qsizetype historyIdsMax = 200;  // of one request

  ModelFeed(EngineApi& engine, const Targets& targets, QObject* parent = nullptr);

  // "engine/" and "vstorage/" are always watched. A page adds what it needs ("vm/") on show and gives an empty list on hide.
  void watch(const QString& page, const QStringList& prefixes);
  // Asks the engine for its older values of these ids; StatHistory::filled follows.
  void requestHistory(const QStringList& ids, StatHistory::Span span);
  void refresh();  // lists everything again now
  void refreshCache();   // its numbers alone: for a page that shows them live
  void refreshAdvice();  // the hit-ratio curves, which change slowly

  const std::optional<protocol::EngineStatus>& status() const { return m_status; }  // last known; none before the first connect
  bool isLoaded() const { return m_loaded; }  // the vstorages were listed at least once

 Q_SIGNALS:
  void statusChanged();
  void loaded();                            // once, after the first complete listing
  // what: the list concerned, as the beginning of a sentence. Once per list until it succeeds again.
  void refreshFailed(const quarry::Error& error, const QString& what);

 private:
  enum class Part { Status, Vstorages, Vms, Jobs, Events, Stats, Cache, Advice, History };

  void onConnection(EngineApi::Connection connection);
  void onSample(const protocol::StatSample& sample);
  void subscribe();
  static QString partText(Part part);
  void changed(Part part);
  void noteFailure(Part part, const Error& error);
  void ask(Part part);  // one request of a kind at a time; asked meanwhile: once more afterwards
  template <class T>
  void take(Part part, Reply<T> reply, void (ModelFeed::*use)(T value));
  void useStatus(protocol::EngineStatus status);
  void useVstorages(std::vector<protocol::VstorageInfo> vstorages);
  void useVms(std::vector<protocol::VmInfo> vms);
  void useJobs(std::vector<protocol::JobInfo> jobs);
  void useEvents(std::vector<protocol::Event> events);
  void useCache(protocol::CacheInfo info);
  void useAdvice(protocol::CacheAdvice advice);
  void useDescriptions(std::vector<protocol::StatDescription> descriptions);

  EngineApi& m_engine;
  Targets m_targets;
  QMap<QString, QStringList> m_watched;  // page → prefixes
  std::optional<protocol::EngineStatus> m_status;
  bool m_loaded = false;
  QSet<int> m_asked;  // parts with a request under way
  QSet<int> m_again;  // of these: asked for again meanwhile
  QSet<int> m_failed;  // parts whose last answer was an error
  QSet<QString> m_filled;  // ids whose older values were asked for since the last connect
  QTimer m_timer;
};

}  // namespace quarry
