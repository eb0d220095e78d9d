// SPDX-License-Identifier: GPL-3.0-or-later
// The InodeTable of a store. Every change runs on the TransactionQueue's thread in three steps: plan (checks and new attributes, from
// RAM, under the mutex), save (SQL, without the mutex, so readers never wait for a disk), apply (RAM, under the mutex; cannot fail).
// Only that thread changes the structure; writes and reads change times and sizes of files from any thread in between.
// Its methods stand in inode_table.cpp (reads), inode_creation.cpp, inode_removal.cpp, inode_rename.cpp, inode_attributes.cpp (attributes,
// truncation, touches, saving) and vstorage_rows.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/metadata/inode_index.h"
#include "engine/metadata/inode_table.h"
#include "engine/metadata/transaction_queue.h"

namespace quarry::metadata {

class StoredInodeTable : public InodeTable {
 public:
  StoredInodeTable(TransactionQueue& queue, const Clock& clock);
  ~StoredInodeTable() override;
  Result<void> start();  // loads, then starts the saving thread

  std::vector<VstorageRow> vstorages() const override;
  Task<Result<VstorageRow>> createVstorage(std::string name, std::string settings) override;
  Task<Result<void>> setVstorage(VstorageId id, std::string settings) override;
  Task<Result<std::vector<FileId>>> removeVstorage(VstorageId id) override;

  std::optional<Inode> get(FileId fileid) const override;
  Result<Inode> lookup(FileId directory, std::string_view name) const override;
  Result<std::vector<DirectoryEntry>> list(FileId directory, uint64_t cookie, size_t countMax) const override;
  Result<std::string> symlinkTarget(FileId fileid) const override;
  std::vector<FileId> regularFiles(VstorageId id) const override;
  std::string path(FileId fileid) const override;
  uint64_t fileCount(VstorageId id) const override;
  void noteUsed(const std::vector<std::pair<FileId, uint64_t>>& counted) override;
  uint64_t journalFloorMax() const override;
  std::vector<FileId> pendingTruncates() const override;

  FileId nextFileId() const override;
  FileId keptBelow() const override;
  Task<Result<void>> keepBelow(FileId next) override;
  Task<Result<void>> settle() override;

  Task<Result<Created>> create(CreateRequest request) override;
  Task<Result<Removed>> remove(FileId directory, std::string name) override;
  Task<Result<Removed>> removeDirectory(FileId directory, std::string name) override;
  Task<Result<Renamed>> rename(RenameRequest request) override;
  Task<Result<Change>> link(FileId fileid, FileId directory, std::string name) override;
  Task<Result<Change>> setAttributes(FileId fileid, AttributeChange change) override;
  Task<Result<Change>> beginTruncate(FileId fileid, AttributeChange change) override;
  Task<Result<void>> endTruncate(FileId fileid) override;

  Result<Change> touchWritten(FileId fileid, uint64_t sizeMin) override;
  std::optional<Inode> touchRead(FileId fileid) override;
  Task<Result<void>> persistSize(FileId fileid) override;
  Task<Result<void>> persistAll() override;

 private:
  struct Saved {
    FileId fileid;
    uint64_t size;
  };
  // One change while it runs on the queue's thread.
  struct Step {
    Database* database = nullptr;
    std::vector<Saved> saved;  // what becomes durable with it
  };
  // An inode's next attributes, made from `before`. touchCount tells whether writes changed it while the mutex was free.
  struct Planned {
    Inode before, after;
    uint64_t touchCount = 0;
    Change change() const { return {before, after}; }
  };
  // An inode that loses one of its names, and what then names it.
  struct Unlinked {
    Planned target;
    bool isGone = false;
    uint64_t nameCookie = 0;
  };
  struct CreatePlan;
  struct RenamePlan;

  template <class T>
  Task<Result<T>> runChange(std::function<Result<T>(Step&)> work) {
    struct State {
      Step step;
      std::optional<Result<T>> outcome;
    };
    auto state = std::make_shared<State>();
    TransactionQueue::Work run = [state, work = std::move(work)](Database& database) -> Result<void> {
      state->step.database = &database;
      state->outcome.emplace(work(state->step));
      if (!*state->outcome) return fail(state->outcome->error());
      return {};
    };
    std::function<void()> onDurable = [this, state] { markDurable(state->step); };
    auto submitted = co_await m_queue.submit(std::move(run), std::move(onDurable));
    if (!submitted) co_return fail(submitted.error());
    co_return std::move(*state->outcome);
  }

  // --- planning and applying (inode_attributes.cpp)
  Timestamp nextChanged(Timestamp previous) REQUIRES(m_mutex);
  Planned plan(const InodeRecord& record) REQUIRES(m_mutex);  // after: the same with a new changed time
  Planned planDirectory(const InodeRecord& record, int linkChange) REQUIRES(m_mutex);
  void apply(Step& step, const Planned& planned) REQUIRES(m_mutex);
  void markDurable(const Step& step);
  void markDirty(InodeRecord& record) REQUIRES(m_mutex);
  enum class Sizing { GrowOnly, MayShorten };
  Result<Planned> planAttributes(FileId fileid, const AttributeChange& change, Sizing sizing);
  Result<Change> setAttributesNow(Step& step, FileId fileid, const AttributeChange& change, Sizing sizing);
  Result<void> endTruncateNow(Step& step, FileId fileid);

  // --- creation
  Result<Created> createNow(Step& step, const CreateRequest& request);
  Result<CreatePlan> planCreate(const CreateRequest& request) REQUIRES(m_mutex);
  Result<Created> createExisting(const CreateRequest& request, const InodeRecord& directory, const InodeRecord& existing) const REQUIRES(m_mutex);
  Inode newInode(const CreateRequest& request, const InodeRecord& directory) REQUIRES(m_mutex);
  Result<Change> linkNow(Step& step, FileId fileid, FileId directory, const std::string& name);

  // --- removal
  enum class Removing { File, Directory };
  Result<Removed> removeNow(Step& step, FileId directory, const std::string& name, Removing what);
  Unlinked planUnlink(const InodeRecord& target, uint64_t cookie) REQUIRES(m_mutex);
  static Result<void> saveUnlinked(Database& database, const Unlinked& unlinked);
  Inode applyUnlinked(Step& step, const Unlinked& unlinked) REQUIRES(m_mutex);
  void forget(FileId fileid) REQUIRES(m_mutex);

  // --- rename
  Result<Renamed> renameNow(Step& step, const RenameRequest& request);
  Result<RenamePlan> planRename(const RenameRequest& request) REQUIRES(m_mutex);
  Result<void> checkReplaced(const RenameRequest& request, const InodeRecord& moved, const InodeRecord& replaced) const REQUIRES(m_mutex);
  static Result<void> saveRename(Database& database, const RenameRequest& request, const RenamePlan& plan);
  Renamed applyRename(Step& step, const RenameRequest& request, const RenamePlan& plan) REQUIRES(m_mutex);

  // --- vstorages
  Result<VstorageRow> createVstorageNow(Step& step, const std::string& name, const std::string& settings);
  Result<std::vector<FileId>> removeVstorageNow(Step& step, VstorageId id);

  // --- saving what writes and reads changed (inode_attributes.cpp)
  Task<Result<void>> submitSave(std::function<Result<void>(Step&)> save);
  Result<void> saveInodes(Step& step, const std::vector<FileId>& fileids);
  Result<void> saveInode(Step& step, FileId fileid);
  std::vector<FileId> takeDirty(size_t countMax);
  Result<void> saveFloor(Database& database, Timestamp floor);
  void savingLoop();
  bool waitForSaving();
  void raiseFloor();
  Result<void> saveAllNow();
  Result<void> reload(Database& database);  // after a failed transaction

  TransactionQueue& m_queue;
  const Clock& m_clock;
  std::mt19937_64 m_random;  // the queue's thread only

  mutable Mutex m_mutex;
  InodeIndex m_index GUARDED_BY(m_mutex);
  std::unordered_set<FileId> m_dirty GUARDED_BY(m_mutex);
  // Removed by the transaction under way: should it fail, they come back with what writes had changed.
  std::unordered_map<FileId, InodeRecord> m_removed GUARDED_BY(m_mutex);
  // Changed times above the durable floor may be given twice after a crash followed by a clock that went back: it is raised ahead of need.
  Timestamp m_durableFloor GUARDED_BY(m_mutex);
  Timestamp m_changedMax GUARDED_BY(m_mutex);
  bool m_floorWanted GUARDED_BY(m_mutex) = false;
  bool m_ending GUARDED_BY(m_mutex) = false;
  Condition m_wakeSaver;

  std::thread m_saver;
};

}  // namespace quarry::metadata
