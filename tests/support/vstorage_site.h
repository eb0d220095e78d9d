// SPDX-License-Identifier: GPL-3.0-or-later
// A whole vstorage layer for tests: the real namespace in a temporary folder, data on a simulated disk, recipes and blocks in RAM.
// restart() is a clean stop and a new start; loseMemory() a kill.
#pragma once

#include <QTemporaryDir>
#include <QtTest>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/metadata/database.h"
#include "engine/metadata/schema.h"
#include "engine/metadata/transaction_queue.h"
#include "engine/vstorage/vm_reports.h"
#include "engine/vstorage/vstorage_table.h"
#include "tests/support/data_site.h"
#include "tests/support/run_task.h"

namespace quarry::test {

class CountingRecorders : public IoRecorders {
 public:
  struct Counts : IoRecorder {
    std::atomic<uint64_t> readBytes = 0, writeBytes = 0;
    void record(IoKind kind, uint64_t bytes, std::chrono::nanoseconds) override { (kind == IoKind::Read ? readBytes : writeBytes) += bytes; }
  };
  std::shared_ptr<IoRecorder> open(const std::string& id) override {
    const Lock lock(m_mutex);
    auto& counts = m_counts[id];
    if (!counts) counts = std::make_shared<Counts>();
    return counts;
  }
  std::shared_ptr<Counts> counts(const std::string& id) {
    open(id);
    const Lock lock(m_mutex);
    return m_counts[id];
  }

 private:
  Mutex m_mutex;
  std::map<std::string, std::shared_ptr<Counts>> m_counts GUARDED_BY(m_mutex);
};

class VstorageSite {
 public:
  explicit VstorageSite(SimDisk::Yield yield = SimDisk::Yield::Never) : disk(yield) { start(); }
  ~VstorageSite() { stop(); }

  void restart() {
    stop();
    start();
  }
  void start() {
    context = std::make_unique<asio::io_context>();
    m_guard.emplace(context->get_executor());
    m_thread = std::thread([this] { context->run(); });
    auto database = metadata::openNamespaceDatabase(dir.filePath(QStringLiteral("namespace.db")).toStdString(), metadata::DatabaseMode::Create);
    if (!database) qFatal("%s", database.error().message.c_str());
    (*database)->setCommitFault([this] { return commitFails(); });
    m_queue = std::make_unique<metadata::TransactionQueue>(std::move(*database), "namespace");
    inodes = std::move(metadata::InodeTable::load(*m_queue, clock)).value();
    health = std::make_unique<StoreHealth>();
    caches = std::make_unique<cache::Caches>(cacheBytes, clock);
    destager = std::make_unique<cache::Destager>(caches->write(), clock, context->get_executor(), cache::Destager::Options{});
    files = std::make_unique<FileDataTable>(FileDataTable::Parts{disk, "landing", *inodes, recipes, blocks, *caches, workers, context->get_executor(), clock,
                                                                 [this](const Error& error) { health->turnReadOnly(error.message); },
                                                                 [this](const Error& error) { health->noteDamage(error); }, openFilesMax});
    space = std::make_unique<SpaceGuard>(disk, "store", clock, files->shared().landedBlocksNew);
    vms = std::make_unique<VmCatalog>(*inodes, *files, recorders);
    savings = std::make_unique<SavingsAccountant>(*inodes, recipes, *files, clock);
    table = std::move(VstorageTable::load({*inodes, *files, *caches, *destager, *space, *health, *vms, *savings, recorders, clock, 77})).value();
  }
  void stop() {
    if (!context) return;
    run(drained(files.get()));
    m_guard.reset();
    context->stop();
    m_thread.join();
    table.reset();
    savings.reset();
    vms.reset();
    space.reset();
    files.reset();
    destager.reset();
    caches.reset();
    inodes.reset();
    m_queue.reset();
    context.reset();
  }

  template <class T>
  T run(Task<T> task) { return runTask(std::move(task)); }

  std::shared_ptr<Vstorage> make(const std::string& name, uint64_t quotaBytes = 0) {
    protocol::VstorageCreate request;
    request.name = name;
    request.quotaBytes = quotaBytes;
    const auto made = run(table->create(std::move(request)));
    if (!made) qFatal("%s", made.error().message.c_str());
    return table->find(name);
  }
  FileId makeFile(Vstorage& vstorage, FileId directory, const std::string& name, const Caller& caller = root) {
    CreateRequest request;
    request.directory = directory;
    request.name = name;
    return created(vstorage, std::move(request), caller);
  }
  FileId makeFolder(Vstorage& vstorage, FileId directory, const std::string& name, const Caller& caller = root) {
    CreateRequest request;
    request.directory = directory;
    request.name = name;
    request.type = metadata::FileType::Directory;
    return created(vstorage, std::move(request), caller);
  }
  Result<WriteReply> write(Vstorage& vstorage, FileId fileid, uint64_t offset, const std::string& text, Stability stability = Stability::FileSync,
                           const Caller& caller = root) {
    return run(vstorage.write(caller, {fileid, offset, asBytes(text), stability}));
  }
  std::string read(Vstorage& vstorage, FileId fileid, uint64_t offset, uint32_t count, const Caller& caller = root) {
    const auto reply = run(vstorage.read(caller, fileid, offset, count));
    if (!reply) return "error: " + std::string(name(reply.error().code));
    return std::string(asText(copyOf(*reply)));
  }
  Result<Change> setSize(Vstorage& vstorage, FileId fileid, uint64_t size, const Caller& caller = root) {
    metadata::AttributeChange change;
    change.size = size;
    return run(vstorage.setAttributes(caller, fileid, std::move(change)));
  }
  // Called once, on the queue's thread, by the next transaction of the namespace; true makes it fail.
  void setOnCommit(std::function<bool()> onCommit) {
    const Lock lock(m_mutex);
    m_onCommit = std::move(onCommit);
  }
  void drain() { run(drained(files.get())); }

  inline static const Caller root{0, 0, {}}, user{1000, 1000, {}};

  static constexpr uint64_t cacheBytes = 16 << 20;

  QTemporaryDir dir;
  SimDisk disk;
  std::unique_ptr<cache::Caches> caches;
  std::unique_ptr<cache::Destager> destager;
  RamRecipes recipes;
  RamBlockStore blocks;
  ManualClock clock;
  asio::thread_pool workers{2};
  CountingRecorders recorders;
  uint64_t openFilesMax = 64;
  std::unique_ptr<asio::io_context> context;
  std::unique_ptr<metadata::InodeTable> inodes;
  std::unique_ptr<StoreHealth> health;
  std::unique_ptr<FileDataTable> files;
  std::unique_ptr<SpaceGuard> space;
  std::unique_ptr<VmCatalog> vms;
  std::unique_ptr<SavingsAccountant> savings;
  std::unique_ptr<VstorageTable> table;

 private:
  bool commitFails() {
    std::function<bool()> told;
    {
      const Lock lock(m_mutex);
      told = std::exchange(m_onCommit, {});
    }
    return told && told();
  }
  static Task<bool> drained(FileDataTable* files) {
    co_await files->drain();
    co_return true;
  }
  FileId created(Vstorage& vstorage, CreateRequest request, const Caller& caller) {
    const auto made = run(vstorage.create(caller, std::move(request)));
    if (!made) qFatal("%s", made.error().message.c_str());
    return made->inode.fileid;
  }

  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> m_guard;
  std::thread m_thread;
  Mutex m_mutex;
  std::function<bool()> m_onCommit GUARDED_BY(m_mutex);
  std::unique_ptr<metadata::TransactionQueue> m_queue;
};

}  // namespace quarry::test
