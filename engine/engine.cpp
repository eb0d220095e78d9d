// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include <asio/thread_pool.hpp>
#include <atomic>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/spawn.h"
#include "engine/control/control_server.h"
#include "engine/engine_control.h"
#include "engine/event_log.h"
#include "engine/history_keeper.h"
#include "engine/job_event.h"
#include "engine/jobs/job_runner.h"
#include "engine/metadata/history_table.h"
#include "engine/metadata/schema.h"
#include "engine/net/loop_pool.h"
#include "engine/nfs/nfs_server.h"
#include "engine/nfs_gauges.h"
#include "engine/os/uring.h"
#include "engine/protocol/codec.h"
#include "engine/protocol/endpoint_text.h"
#include "engine/protocol/job_state.h"
#include "engine/savings_gauges.h"
#include "engine/stats/sampler.h"
#include "engine/stored_job_history.h"
#include "engine/store.h"
#include "engine/vstorage_files.h"
#include "engine/wait_for.h"

namespace quarry {

// In order of construction: what stands lower uses what stands higher. The loops come first and end last; whatever still waits on
// them when they stop is destroyed with them, before the store.
struct Engine::Parts {
  explicit Parts(const Options& given) : options(given), workers(static_cast<size_t>(given.workerThreads)) {}

  const Options options;
  SystemClock clock;
  StatRegistry registry;
  asio::thread_pool workers;
  std::unique_ptr<Store> store;
  std::unique_ptr<net::LoopPool> loops;
  std::unique_ptr<metadata::TransactionQueue> historyQueue;
  std::unique_ptr<metadata::HistoryTable> history;
  std::unique_ptr<EventLog> events;
  std::unique_ptr<StoredJobHistory> jobHistory;
  std::unique_ptr<JobRunner> jobs;
  std::unique_ptr<VstorageFiles> files;
  std::unique_ptr<nfs::NfsServer> server;
  StatRegistration nfsGauges;  // ends before the server
  int nfsPort = 0;
  std::unique_ptr<Sampler> sampler;
  std::unique_ptr<SavingsGauges> savingsGauges;
  std::unique_ptr<CacheReport> cacheReport;
  std::unique_ptr<HistoryKeeper> historyKeeper;
  std::unique_ptr<EngineControl> control;
  std::unique_ptr<ControlServer> controlServer;
  std::atomic<ControlServer*> consoles = nullptr;  // where notices go, once it serves; asked on many threads
  bool stopped = false;

  Result<void> openStore();
  Result<void> openHistory();
  Result<void> startJobs();
  Result<void> startServer();
  Result<void> startControl();
  void publishJob(const protocol::JobInfo& job);
  void stopAll();
};

Result<void> Engine::Parts::openStore() {
  if (auto available = os::Uring::checkAvailable(); !available) return available;
  loops = std::make_unique<net::LoopPool>(static_cast<size_t>(options.loopThreads));
  auto opened = Store::open({.path = options.storePath, .loops = *loops, .workers = workers, .registry = registry, .clock = clock,
                             .landingFilesMax = options.landingFilesMax,
                             .cache = {.journalFolder = options.journalFolder, .journalBytes = options.journalBytes, .cacheBytes = options.cacheBytes,
                                       .makeNewJournal = options.makeNewJournal}});
  if (!opened) return fail(opened.error());
  store = std::move(*opened);
  return {};
}

Result<void> Engine::Parts::openHistory() {
  // A lost history is made anew: it holds nothing that data depends on.
  const std::string path = store->path() + "/history.db";
  auto database = metadata::openHistoryDatabase(path, metadata::DatabaseMode::Create);
  if (!database) return fail(database.error());
  historyQueue = std::make_unique<metadata::TransactionQueue>(std::move(*database), "history");
  auto opened = metadata::HistoryTable::open(path, *historyQueue);
  if (!opened) return fail(opened.error());
  history = std::move(*opened);
  events = std::make_unique<EventLog>(*history, clock, workers.get_executor(), [this](const protocol::Event& event) {
    if (ControlServer* told = consoles.load()) told->publish("event.added", protocol::toJson(event));
  });
  store->health().setOnReadOnly([this](const std::string& reason) {
    events->add(protocol::Severity::Error, "store", "read-only: " + reason);
  });
  store->health().setOnDamage([this](const Error& error) { events->add(protocol::Severity::Error, "store", "damaged: " + error.message); });
  return {};
}

Result<void> Engine::Parts::startJobs() {
  jobHistory = std::make_unique<StoredJobHistory>(*history, workers.get_executor());
  jobs = std::make_unique<JobRunner>(clock, jobHistory.get(), [this](const protocol::JobInfo& job) { publishJob(job); });
  files = std::make_unique<VstorageFiles>(store->vstorages(), store->files(), store->inodes(), store->vms(), store->health(), &store->cache().destager());
  return jobs->start();
}

void Engine::Parts::publishJob(const protocol::JobInfo& job) {
  if (ControlServer* told = consoles.load()) told->publish("job.changed", protocol::toJson(job));
  if (!protocol::hasEnded(job.state)) return;
  JobEvent event = eventOf(job);
  events->add(event.severity, "job " + std::to_string(job.id), std::move(event.text));
}

Result<void> Engine::Parts::startServer() {
  server = std::make_unique<nfs::NfsServer>(nfs::NfsServerOptions{.address = options.listenAddress,
                                                                  .port = static_cast<uint16_t>(options.nfsPort),
                                                                  .storeId = store->config().id,
                                                                  .storeKey = store->config().key},
                                            *loops, store->vstorages(), clock);
  auto port = server->start();
  if (!port) return fail(port.error());
  nfsPort = *port;
  nfsGauges = declareNfs(registry, *server);
  return {};
}

Result<void> Engine::Parts::startControl() {
  sampler = std::make_unique<Sampler>(registry, clock, [this](const protocol::StatSample& sample) { controlServer->publishSample(sample); });
  savingsGauges = std::make_unique<SavingsGauges>(registry, store->savings(), store->vstorages(), store->inodes());
  cacheReport = std::make_unique<CacheReport>(registry, store->cache(), store->vstorages(), clock);
  historyKeeper = std::make_unique<HistoryKeeper>(*sampler, *history);
  historyKeeper->load();
  control = std::make_unique<EngineControl>(EngineControl::Parts{
      .store = *store,
      .files = *files,
      .jobs = *jobs,
      .registry = registry,
      .sampler = *sampler,
      .events = *events,
      .cacheReport = *cacheReport,
      .optimizer = {.fileSystem = store->fileSystem(),
                    .containerFolder = store->path() + "/containers",
                    .recipes = store->recipes(),
                    .source = *files,
                    .key = store->config().key,
                    .workers = workers,
                    .workerCount = static_cast<size_t>(options.workerThreads),
                    .clock = clock,
                    .availableBytes = [this] { return store->space().space().availableBytes; }},
      .workers = workers,
      .clock = clock,
      .listenAddress = options.listenAddress,
      .controlSocket = options.controlSocket,
      .nfsPort = [this] { return nfsPort; },
      .connectionCount = [this] { return server->counters().connectionCount.load(); },
      .vstoragesChanged = [this] { controlServer->publish("vstorage.changed", "null"); },
      .cacheChanged = [this] { controlServer->publish("cache.changed", "null"); },
  });
  controlServer = std::make_unique<ControlServer>(*control);
  if (auto started = controlServer->start(options.controlSocket); !started) return started;
  consoles = controlServer.get();
  spawn(controlServer->executor(), sampler->run());
  spawn(controlServer->executor(), savingsGauges->run());
  spawn(controlServer->executor(), cacheReport->run());
  spawn(controlServer->executor(), historyKeeper->run());
  return {};
}

// Top-down. Jobs and clients end first, then what they used; the store is durable before its threads go.
void Engine::Parts::stopAll() {
  if (std::exchange(stopped, true)) return;
  if (jobs) jobs->stop();
  if (server) server->stop();
  if (historyKeeper) historyKeeper->stop();
  if (savingsGauges) savingsGauges->stop();
  if (cacheReport) cacheReport->stop();
  if (sampler) sampler->stop();
  if (controlServer) controlServer->stop();
  if (controlServer) waitFor(workers.get_executor(), historyKeeper->save());
  nfsGauges = {};
  server.reset();
  if (store) {
    const auto closed = store->close();
    if (!closed) log("engine").error("closing the store: {}", closed.error().message);
    store->health().setOnReadOnly({});  // the store outlives the event log
  }
  workers.join();
  if (loops) loops->stop();
  loops.reset();
}

Engine::Engine(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
Engine::~Engine() { stop(); }
void Engine::stop() { m_parts->stopAll(); }

Result<std::unique_ptr<Engine>> Engine::start(const Options& options) {
  std::unique_ptr<Engine> engine(new Engine(std::make_unique<Parts>(options)));
  for (const auto step : {&Parts::openStore, &Parts::openHistory, &Parts::startJobs, &Parts::startServer, &Parts::startControl})
    if (auto done = ((*engine->m_parts).*step)(); !done) return fail(done.error());
  engine->m_parts->events->add(protocol::Severity::Info, "store", "serving NFS on " + engine->nfsAddress());
  return engine;
}

std::string Engine::nfsAddress() const {
  return protocol::endpointText(m_parts->options.listenAddress, m_parts->nfsPort);
}

}  // namespace quarry
