// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/model_feed.h"

#include <utility>

#include "app/client/when_done.h"
#include "app/models/cache_model.h"
#include "app/models/event_model.h"
#include "app/models/job_model.h"
#include "app/models/stat_model.h"
#include "app/models/vm_model.h"
#include "app/models/vstorage_model.h"

namespace quarry {
namespace {

const QStringList& alwaysWatched() {
  static const QStringList prefixes{QStringLiteral("cache/"), QStringLiteral("engine/"), QStringLiteral("vstorage/")};
  return prefixes;
}

}  // namespace

ModelFeed::ModelFeed(EngineApi& engine, const Targets& targets, QObject* parent) : QObject(parent), m_engine(engine), m_targets(targets) {
  connect(&engine, &EngineApi::connectionChanged, this, &ModelFeed::onConnection);
  connect(&engine, &EngineApi::statSample, this, &ModelFeed::onSample);
  connect(&engine, &EngineApi::jobChanged, this, [this](const protocol::JobInfo& job) {
    m_targets.jobs.put(job);
    changed(Part::Jobs);
  });
  connect(&engine, &EngineApi::eventAdded, this, [this](const protocol::Event& event) {
    m_targets.events.put(event);
    changed(Part::Events);
  });
  connect(&engine, &EngineApi::vstoragesChanged, this, [this] {
    ask(Part::Vstorages);
    ask(Part::Vms);
    ask(Part::Stats);
    ask(Part::Cache);
  });
  connect(&engine, &EngineApi::cacheChanged, this, &ModelFeed::refreshCache);
  connect(&m_timer, &QTimer::timeout, this, [this] {
    for (const Part part : {Part::Status, Part::Vstorages, Part::Vms, Part::Cache}) ask(part);
  });
  m_timer.setInterval(refreshInterval);
  subscribe();
  onConnection(engine.connection());
}

void ModelFeed::watch(const QString& page, const QStringList& prefixes) {
  if (prefixes.isEmpty())
    m_watched.remove(page);
  else
    m_watched[page] = prefixes;
  subscribe();
}

void ModelFeed::requestHistory(const QStringList& ids, StatHistory::Span span) {
  if (m_engine.connection() != EngineApi::Connection::Connected) return;
  for (qsizetype first = 0; first < ids.size(); first += historyIdsMax) {
    protocol::StatHistoryRequest request{.ids = {}, .spanSeconds = StatHistory::seconds(span)};
    for (const QString& id : ids.mid(first, historyIdsMax)) request.ids.push_back(id.toStdString());
    whenDone(m_engine.statHistory(request), this, [this, span](const Result<std::vector<protocol::StatSeries>>& series) {
      if (!series) return noteFailure(Part::History, series.error());
      m_failed.remove(static_cast<int>(Part::History));
      m_targets.history.fill(span, *series);
    });
  }
}

void ModelFeed::refresh() {
  for (const Part part : {Part::Status, Part::Vstorages, Part::Vms, Part::Jobs, Part::Events, Part::Stats, Part::Cache, Part::Advice}) ask(part);
}

void ModelFeed::refreshCache() { ask(Part::Cache); }

void ModelFeed::refreshAdvice() { ask(Part::Advice); }

void ModelFeed::onConnection(EngineApi::Connection connection) {
  if (connection != EngineApi::Connection::Connected) {
    m_timer.stop();
    return;
  }
  m_filled.clear();  // the engine sampled on while it was out of sight
  refresh();
  m_timer.start();
}

void ModelFeed::onSample(const protocol::StatSample& sample) {
  m_targets.history.append(sample);
  m_targets.stats.apply(sample);
  m_targets.vms.apply(sample);
}

void ModelFeed::subscribe() {
  QStringList all = alwaysWatched();
  for (const QStringList& prefixes : std::as_const(m_watched)) all += prefixes;
  all.sort();
  all.removeDuplicates();
  m_engine.subscribeStats(all);
}

void ModelFeed::ask(Part part) {
  if (m_engine.connection() != EngineApi::Connection::Connected) return;
  if (m_asked.contains(static_cast<int>(part))) {
    m_again.insert(static_cast<int>(part));
    return;
  }
  m_asked.insert(static_cast<int>(part));
  switch (part) {
    case Part::Status: return take(part, m_engine.status(), &ModelFeed::useStatus);
    case Part::Vstorages: return take(part, m_engine.listVstorages(), &ModelFeed::useVstorages);
    case Part::Vms: return take(part, m_engine.listVms(), &ModelFeed::useVms);
    case Part::Jobs: return take(part, m_engine.listJobs(), &ModelFeed::useJobs);
    case Part::Events: return take(part, m_engine.listEvents(), &ModelFeed::useEvents);
    case Part::Stats: return take(part, m_engine.describeStats(), &ModelFeed::useDescriptions);
    case Part::Cache: return take(part, m_engine.showCache(), &ModelFeed::useCache);
    case Part::Advice: return take(part, m_engine.adviseCache(), &ModelFeed::useAdvice);
    case Part::History: return;  // has its own question, by span
  }
}

template <class T>
void ModelFeed::take(Part part, Reply<T> reply, void (ModelFeed::*use)(T value)) {
  whenDone(reply, this, [this, part, use](Result<T> value) {
    m_asked.remove(static_cast<int>(part));
    const bool again = m_again.remove(static_cast<int>(part));
    if (value) {
      m_failed.remove(static_cast<int>(part));
      (this->*use)(std::move(*value));
    } else {
      noteFailure(part, value.error());
    }
    if (again) ask(part);
  });
}

// A list that was asked for before may be read after this and take it back: it is asked for once more.
void ModelFeed::changed(Part part) {
  if (m_asked.contains(static_cast<int>(part))) m_again.insert(static_cast<int>(part));
}

void ModelFeed::noteFailure(Part part, const Error& error) {
  if (m_failed.contains(static_cast<int>(part))) return;
  m_failed.insert(static_cast<int>(part));
  Q_EMIT refreshFailed(error, partText(part));
}

QString ModelFeed::partText(Part part) {
  switch (part) {
    case Part::Status: return tr("The engine's state");
    case Part::Vstorages: return tr("The list of vstorages");
    case Part::Vms: return tr("The list of virtual machines");
    case Part::Jobs: return tr("The list of jobs");
    case Part::Events: return tr("The list of events");
    case Part::Stats: return tr("The list of statistics");
    case Part::Cache: return tr("The state of the RAM cache");
    case Part::Advice: return tr("The advice on the size of the RAM cache");
    case Part::History: return tr("The history of the charts");
  }
  return {};
}

// Another store has its own past under the same ids.
void ModelFeed::useStatus(protocol::EngineStatus status) {
  if (m_status && m_status->storeId != status.storeId) {
    m_targets.history.clear();
    m_filled.clear();
    ask(Part::Stats);
    ask(Part::Advice);
  }
  m_status = std::move(status);
  Q_EMIT statusChanged();
}

void ModelFeed::useVstorages(std::vector<protocol::VstorageInfo> vstorages) {
  m_targets.vstorages.replace(std::move(vstorages));
  if (!std::exchange(m_loaded, true)) Q_EMIT loaded();
}

void ModelFeed::useVms(std::vector<protocol::VmInfo> vms) { m_targets.vms.replace(std::move(vms)); }

void ModelFeed::useJobs(std::vector<protocol::JobInfo> jobs) { m_targets.jobs.replace(std::move(jobs)); }

void ModelFeed::useEvents(std::vector<protocol::Event> events) { m_targets.events.replace(std::move(events)); }

void ModelFeed::useCache(protocol::CacheInfo info) { m_targets.cache.replace(std::move(info)); }

void ModelFeed::useAdvice(protocol::CacheAdvice advice) { m_targets.cache.setAdvice(std::move(advice)); }

void ModelFeed::useDescriptions(std::vector<protocol::StatDescription> descriptions) {
  m_targets.stats.replace(descriptions);
  QStringList longTerm, vmIops;
  for (const protocol::StatDescription& description : descriptions) {
    const QString id = QString::fromStdString(description.id);
    if (m_filled.contains(id)) continue;
    m_filled.insert(id);
    if (!id.startsWith(QLatin1String("vm/")))
      longTerm << id;
    else if (id.endsWith(QLatin1String("/iops")))
      vmIops << id;
  }
  using Span = StatHistory::Span;
  for (const Span span : {Span::FiveMinutes, Span::Hour, Span::Day, Span::Month}) requestHistory(longTerm, span);
  requestHistory(vmIops, Span::FiveMinutes);
}

}  // namespace quarry
