// SPDX-License-Identifier: GPL-3.0-or-later
// crash_writer: a client that remembers what the server acknowledged.
//   crash_writer run STATE URL SECONDS SEED   four workers create, write, commit, resize, rename, remove and read files until the
//                                             server vanishes or the time is over
//   crash_writer verify STATE URL             compares the export with what was acknowledged; what was under way may have happened or
//                                             not; then takes the export's present state as the new truth
// STATE: a folder with one log per worker (crash_model.h). Exit status: 0 good, 1 something acknowledged is missing, 2 wrong usage.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/crash/crash_model.h"
#include "tests/tools/nfs_session.h"

using namespace quarry;
using namespace quarry::test;

namespace {
constexpr int workerCount = 4;
constexpr size_t filesPerWorkerMax = 10;
constexpr Tag sharedRunCount = 64;  // runs of content that all workers write, so that there is something to deduplicate

std::string folderOf(int worker) { return "/w" + std::to_string(worker); }
std::string logOf(const std::string& state, int worker) { return state + "/worker" + std::to_string(worker) + ".log"; }

class Worker {
 public:
  Worker(int number, uint64_t seed, CrashModel model, std::unique_ptr<NfsSession> session)
      : m_number(number), m_random(seed * 1000 + static_cast<uint64_t>(number)), m_model(std::move(model)), m_session(std::move(session)) {
    m_nextTag = (static_cast<Tag>(number) + 1) << 56 | (seed & 0xffff) << 40;
  }

  // Ends with the first error: after it, what the server holds of the last operation is unknown.
  Result<void> run(std::chrono::steady_clock::time_point end) {
    if (auto made = m_session->makeDirectory(folderOf(m_number)); !made) return made;
    while (std::chrono::steady_clock::now() < end)
      if (auto stepped = step(); !stepped) return stepped;
    return {};
  }
  uint64_t acknowledgedCount() const { return m_model.acknowledgedCount(); }

 private:
  Result<void> step() {
    if (m_model.files().size() < 3) return createFile();
    switch (m_random() % 16) {
      case 0: return m_model.files().size() < filesPerWorkerMax ? createFile() : removeFile();
      case 1: return m_model.files().size() > 5 ? removeFile() : createFile();
      case 2: return renameFile();
      case 3: return resizeFile();
      case 4: return commitFile();
      case 5:
      case 6: return checkFile();
      case 7:
      case 8:
      case 9: return writeFile(Operation::Kind::WriteUnstable);
      default: return writeFile(Operation::Kind::WriteStable);
    }
  }

  const std::string& anyName() {
    auto file = m_model.files().begin();
    std::advance(file, static_cast<long>(m_random() % m_model.files().size()));
    return file->first;
  }
  std::string newName() { return "f" + std::to_string(m_random() % 100'000); }
  std::string pathOf(const std::string& name) const { return folderOf(m_number) + "/" + name; }

  // Logs the operation, sends it, logs that it was answered.
  template <class Send>
  Result<void> perform(const Operation& operation, Send send) {
    if (auto begun = m_model.begin(operation); !begun) return begun;
    if (auto sent = send(); !sent) return sent;
    return m_model.done();
  }

  Result<void> createFile() {
    std::string name = newName();
    while (m_model.files().contains(name)) name = newName();
    return perform({.kind = Operation::Kind::Create, .name = name}, [&]() -> Result<void> {
      auto file = m_session->create(pathOf(name), NfsSession::Writes::Unstable);
      if (!file) return fail(file.error());
      return {};
    });
  }

  Result<void> removeFile() {
    const std::string name = anyName();
    return perform({.kind = Operation::Kind::Remove, .name = name}, [&] { return m_session->remove(pathOf(name)); });
  }

  // Sometimes onto another file, which it replaces.
  Result<void> renameFile() {
    const std::string from = anyName();
    const std::string to = m_random() % 3 == 0 ? anyName() : newName();
    if (from == to) return {};
    return perform({.kind = Operation::Kind::Rename, .name = from, .toName = to},
                   [&] { return m_session->rename(pathOf(from), pathOf(to)); });
  }

  Result<void> resizeFile() {
    const std::string name = anyName();
    const auto size = static_cast<uint32_t>(m_random() % fileUnitsMax);
    return perform({.kind = Operation::Kind::Resize, .name = name, .unitCount = size}, [&]() -> Result<void> {
      auto file = m_session->openToWrite(pathOf(name), NfsSession::Writes::Unstable);
      if (!file) return fail(file.error());
      return (*file)->resize(size * unitBytes);
    });
  }

  Result<void> commitFile() {
    const std::string name = anyName();
    return perform({.kind = Operation::Kind::Commit, .name = name}, [&]() -> Result<void> {
      auto file = m_session->openToWrite(pathOf(name), NfsSession::Writes::Unstable);
      if (!file) return fail(file.error());
      return (*file)->commit();
    });
  }

  Operation randomWrite(Operation::Kind kind) {
    Operation write{.kind = kind, .name = anyName()};
    const uint32_t grain = m_random() % 3 == 0 ? 1 : static_cast<uint32_t>(blockBytes / unitBytes);
    write.unitCount = (1 + static_cast<uint32_t>(m_random() % (writeUnitsMax / grain))) * grain;
    write.firstUnit = static_cast<uint32_t>(m_random() % ((fileUnitsMax - write.unitCount) / grain + 1)) * grain;
    const uint64_t content = m_random() % 8;
    if (content == 0) return write;  // zeros
    if (content < 4) {
      write.tag = 1 + m_random() % sharedRunCount * (2 * writeUnitsMax);
    } else {
      write.tag = m_nextTag;
      m_nextTag += 2 * writeUnitsMax;
    }
    return write;
  }

  Result<void> writeFile(Operation::Kind kind) {
    const Operation write = randomWrite(kind);
    AlignedBuffer data(write.unitCount * unitBytes);
    for (uint32_t i = 0; i < write.unitCount; ++i)
      fillUnit(write.tag == 0 ? 0 : write.tag + i, data.bytes().subspan(i * unitBytes, unitBytes));
    return perform(write, [&]() -> Result<void> {
      const auto writes = kind == Operation::Kind::WriteStable ? NfsSession::Writes::Stable : NfsSession::Writes::Unstable;
      auto file = m_session->openToWrite(pathOf(write.name), writes);
      if (!file) return fail(file.error());
      return (*file)->write(write.firstUnit * unitBytes, data.bytes());
    });
  }

  // A live server must answer with the latest write, stable or not, also while its data is being optimized.
  Result<void> checkFile() {
    const auto& [name, model] = *m_model.files().find(anyName());
    const uint32_t size = model.latestSize();
    if (size == 0) return {};
    const auto first = static_cast<uint32_t>(m_random() % size);
    const uint32_t count = std::min(writeUnitsMax, size - first);
    auto file = m_session->openToRead(pathOf(name));
    if (!file) return fail(file.error());
    AlignedBuffer data(count * unitBytes), expected(unitBytes);
    const auto got = (*file)->read(first * unitBytes, data.bytes());
    if (!got) return fail(got.error());
    if (*got != count * unitBytes) return fail(ErrorCode::Corrupt, pathOf(name) + ": read is short");
    for (uint32_t i = 0; i < count; ++i) {
      fillUnit(model.units[first + i].latest(), expected.bytes());
      if (!std::equal(expected.data(), expected.data() + unitBytes, data.data() + i * unitBytes))
        return fail(ErrorCode::Corrupt, pathOf(name) + ": unit " + std::to_string(first + i) + " is not what was written last");
    }
    return {};
  }

  const int m_number;
  std::mt19937_64 m_random;
  CrashModel m_model;
  std::unique_ptr<NfsSession> m_session;
  Tag m_nextTag = 0;
};

Result<uint64_t> runWorker(const std::string& state, const std::string& url, int number, uint64_t seed,
                           std::chrono::steady_clock::time_point end) {
  auto model = CrashModel::open(logOf(state, number));
  if (!model) return fail(model.error());
  auto session = NfsSession::mount(url);
  if (!session) return fail(session.error());
  Worker worker(number, seed, std::move(*model), std::move(*session));
  if (auto ran = worker.run(end); !ran) {
    std::printf("worker %d stops: %s\n", number, ran.error().message.c_str());
    std::fflush(stdout);
    if (ran.error().code == ErrorCode::Corrupt) return fail(ran.error());
  }
  return worker.acknowledgedCount();
}

int run(const std::string& state, const std::string& url, int seconds, uint64_t seed) {
  std::filesystem::create_directories(state);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::atomic<uint64_t> acknowledgedCount{0};
  std::atomic<bool> failed{false};
  std::vector<std::jthread> threads;
  for (int number = 0; number < workerCount; ++number)
    threads.emplace_back([&, number] {
      const auto count = runWorker(state, url, number, seed, end);
      if (count) {
        acknowledgedCount += *count;
        return;
      }
      std::fprintf(stderr, "crash_writer: worker %d: %s\n", number, count.error().message.c_str());
      failed = true;
    });
  threads.clear();
  std::printf("acknowledged %llu\n", static_cast<unsigned long long>(acknowledgedCount));
  return failed ? 1 : 0;
}

// Compares one worker's folder with its model and turns the model into what is there.
class Verifier {
 public:
  Verifier(CrashModel& model, NfsSession& session, std::string folder)
      : m_model(model), m_session(session), m_folder(std::move(folder)) {}

  Result<void> verify() {
    auto entries = m_session.list(m_folder);
    if (!entries) return m_model.files().empty() ? Result<void>() : fail(entries.error());
    settleNames(*entries);
    if (entries->size() != m_model.files().size())
      complain(m_folder + ": " + std::to_string(entries->size()) + " files, " + std::to_string(m_model.files().size()) + " expected");
    for (const NfsEntry& entry : *entries)
      if (!m_model.files().contains(nameOf(entry))) complain(entry.path + " should not exist");
    for (auto& [name, file] : m_model.files())
      if (auto checked = verifyFile(m_folder + "/" + name, file); !checked) complain(checked.error().message);
    return m_model.rewrite();
  }
  const std::vector<std::string>& complaints() const { return m_complaints; }
  uint64_t checkedBytes() const { return m_checkedBytes; }

 private:
  void complain(std::string text) { m_complaints.push_back(std::move(text)); }
  std::string nameOf(const NfsEntry& entry) const { return entry.path.substr(m_folder.size() + 1); }

  // What was under way when the server vanished: did it happen?
  void settleNames(const std::vector<NfsEntry>& entries) {
    if (!m_model.pending()) return;
    const Operation operation = *m_model.pending();
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const NfsEntry& entry) { return nameOf(entry) == operation.name; });
    const bool isThere = found != entries.end();
    bool happened = false;
    switch (operation.kind) {
      case Operation::Kind::Create: happened = isThere; break;
      case Operation::Kind::Rename:
      case Operation::Kind::Remove: happened = !isThere; break;
      case Operation::Kind::Resize: happened = isThere && found->size == operation.unitCount * unitBytes; break;
      case Operation::Kind::Commit: break;
      case Operation::Kind::WriteStable:
      case Operation::Kind::WriteUnstable: m_model.makePendingUnsure(); break;
    }
    m_model.settlePending(happened ? CrashModel::Outcome::Happened : CrashModel::Outcome::DidNotHappen);
  }

  Result<void> verifyFile(const std::string& path, FileModel& model) {
    auto file = m_session.openToRead(path);
    if (!file) return fail(file.error());
    const auto bytes = (*file)->size();
    if (!bytes) return fail(bytes.error());
    const auto size = static_cast<uint32_t>(*bytes / unitBytes);
    if (*bytes % unitBytes != 0 || size > fileUnitsMax || !model.maySizeBe(size))
      return fail(ErrorCode::Corrupt, path + ": size " + std::to_string(*bytes) + ", acknowledged " + std::to_string(model.sizeUnits * unitBytes));
    AlignedBuffer data(size * unitBytes);
    const auto got = (*file)->read(0, data.bytes());
    if (!got) return fail(got.error());
    if (*got != *bytes) return fail(ErrorCode::Corrupt, path + ": read ends at " + std::to_string(*got));
    m_checkedBytes += *bytes;
    for (uint32_t unit = 0; unit < size; ++unit)
      if (auto adopted = adoptUnit(path, unit, model.units[unit], data.bytes().subspan(unit * unitBytes, unitBytes)); !adopted) return adopted;
    for (uint32_t unit = size; unit < fileUnitsMax; ++unit) model.units[unit] = {};
    model.sizeUnits = size;
    model.unsureSizes.clear();
    return {};
  }

  Result<void> adoptUnit(const std::string& path, uint32_t number, FileModel::Unit& unit, Bytes data) {
    AlignedBuffer expected(unitBytes);
    std::vector<Tag> candidates = unit.unsure;
    candidates.push_back(unit.acknowledged);
    for (const Tag tag : candidates) {
      fillUnit(tag, expected.bytes());
      if (!std::equal(data.begin(), data.end(), expected.data())) continue;
      unit = {tag, {}};
      return {};
    }
    return fail(ErrorCode::Corrupt, path + ": unit " + std::to_string(number) + " holds nothing that was written there" +
                                        (isZero(data) ? " (zeros)" : ""));
  }

  CrashModel& m_model;
  NfsSession& m_session;
  const std::string m_folder;
  std::vector<std::string> m_complaints;
  uint64_t m_checkedBytes = 0;
};

int verify(const std::string& state, const std::string& url) {
  auto session = NfsSession::mount(url);
  uint64_t fileCount = 0, checkedBytes = 0;
  size_t complaintCount = 0;
  for (int number = 0; number < workerCount; ++number) {
    auto model = CrashModel::open(logOf(state, number));
    if (!session || !model) {
      std::fprintf(stderr, "crash_writer: %s\n", (session ? model.error() : session.error()).message.c_str());
      return 1;
    }
    Verifier verifier(*model, **session, folderOf(number));
    if (auto verified = verifier.verify(); !verified) {
      std::fprintf(stderr, "crash_writer: %s\n", verified.error().message.c_str());
      return 1;
    }
    for (const std::string& complaint : verifier.complaints()) std::printf("MISSING %s\n", complaint.c_str());
    complaintCount += verifier.complaints().size();
    fileCount += model->files().size();
    checkedBytes += verifier.checkedBytes();
  }
  std::printf("verified %llu files, %llu MiB, %zu complaints\n", static_cast<unsigned long long>(fileCount),
              static_cast<unsigned long long>(checkedBytes >> 20), complaintCount);
  return complaintCount > 0 ? 1 : 0;
}
}  // namespace

int main(int argumentCount, char** arguments) {
  const std::string verb = argumentCount > 1 ? arguments[1] : "";
  if (verb == "run" && argumentCount == 6) return run(arguments[2], arguments[3], std::stoi(arguments[4]), std::stoull(arguments[5]));
  if (verb == "verify" && argumentCount == 4) return verify(arguments[2], arguments[3]);
  std::fprintf(stderr, "usage: crash_writer run STATE URL SECONDS SEED | verify STATE URL\n");
  return 2;
}
