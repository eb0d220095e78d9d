// SPDX-License-Identifier: GPL-3.0-or-later
// A namespace.db in a folder of its own with its queue and table, which can be closed and opened again.
#pragma once

#include <QTemporaryDir>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/metadata/inode_table.h"
#include "engine/metadata/schema.h"
#include "engine/metadata/transaction_queue.h"
#include "tests/support/run_task.h"

namespace quarry::metadata {

class MovableClock : public SystemClock {
 public:
  Timestamp now() const override { return {SystemClock::now().unixNs + offsetNs}; }
  std::atomic<int64_t> offsetNs = 0;
};

struct NamespaceFixture {
  NamespaceFixture() { open(); }
  ~NamespaceFixture() { close(); }

  void open() {
    auto database = openNamespaceDatabase(path(), DatabaseMode::Create);
    QUARRY_CHECK(database);
    (*database)->setCommitFault([this] { return commitFails.load(); });
    queue = std::make_unique<TransactionQueue>(std::move(*database), "namespace");
    auto loaded = InodeTable::load(*queue, clock);
    if (!loaded) std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
    QUARRY_CHECK(loaded);
    table = std::move(*loaded);
  }
  void close() {
    table.reset();
    queue.reset();
  }
  void reopen() {
    close();
    open();
  }
  std::string path() const { return folder.path().toStdString() + "/namespace.db"; }

  template <class T>
  T run(Task<T> task) {
    return test::runTask(context, std::move(task));
  }

  Result<Created> create(FileId directory, const std::string& name, FileType type = FileType::Regular) {
    CreateRequest request;
    request.directory = directory;
    request.name = name;
    request.type = type;
    if (type == FileType::Symlink) request.symlinkTarget = "target";
    return run(table->create(request));
  }
  Result<Renamed> rename(FileId from, const std::string& fromName, FileId to, const std::string& toName) {
    RenameRequest request{from, fromName, to, toName};
    return run(table->rename(request));
  }

  QTemporaryDir folder;
  asio::io_context context;
  MovableClock clock;
  std::atomic<bool> commitFails = false;
  std::unique_ptr<TransactionQueue> queue;
  std::unique_ptr<InodeTable> table;
};

}  // namespace quarry::metadata
