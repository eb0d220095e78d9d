// SPDX-License-Identifier: GPL-3.0-or-later
// nfs_load: a steady load on one file of an NFS export, and what it achieved.
//   nfs_load VERB URL PATH MIB SECONDS BLOCK WORKERS
//   VERB: fill (once, with half-compressible data), read, write (stable), seqread, seqwrite (unstable, committed at the end)
// Each worker is one connection with one request under way; PATH must be MIB large for everything but fill. Prints one line:
// operations per second, MiB/s, mean and 99th percentile latency in µs. Exit status: 0 done, 1 failed, 2 wrong usage.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/tools/nfs_session.h"

using namespace quarry;
using test::NfsFile;
using test::NfsSession;
using SteadyTime = std::chrono::steady_clock::time_point;

namespace {
enum class Verb { Fill, Read, Write, SequentialRead, SequentialWrite };

struct Load {
  Verb verb = Verb::Read;
  std::string url, path;
  uint64_t fileBytes = 0, blockBytes = 0;
  std::chrono::seconds duration{0};
  int workerCount = 0;

  bool writes() const { return verb == Verb::Write || verb == Verb::SequentialWrite || verb == Verb::Fill; }
  bool isSequential() const { return verb == Verb::SequentialRead || verb == Verb::SequentialWrite || verb == Verb::Fill; }
};

struct Outcome {
  std::vector<uint32_t> latenciesUs;
  Result<void> result;
};

void fillHalfRandom(MutableBytes bytes, std::mt19937_64& random) {
  for (size_t at = 0; at + 16 <= bytes.size(); at += 16) {
    storeLittle<uint64_t>(bytes.data() + at, random());
    storeLittle<uint64_t>(bytes.data() + at + 8, 0);
  }
}

// The part of the file that one worker walks through when it goes in order.
struct Range {
  uint64_t from = 0, to = 0;
};

Result<void> operate(NfsFile& file, const Load& load, uint64_t offset, AlignedBuffer& data) {
  if (load.writes()) return file.write(offset, data.bytes());
  const auto got = file.read(offset, data.bytes());
  if (!got) return fail(got.error());
  if (*got != data.size()) return fail(ErrorCode::IoError, load.path + " is shorter than it should be");
  return {};
}

Result<void> work(const Load& load, int number, SteadyTime end, std::vector<uint32_t>& latenciesUs) {
  auto session = NfsSession::mount(load.url);
  if (!session) return fail(session.error());
  const auto writes = load.verb == Verb::Write ? NfsSession::Writes::Stable : NfsSession::Writes::Unstable;
  auto file = load.writes() ? (*session)->openToWrite(load.path, writes) : (*session)->openToRead(load.path);
  if (!file) return fail(file.error());

  std::mt19937_64 random(static_cast<uint64_t>(number) + 1);
  AlignedBuffer data(load.blockBytes);
  fillHalfRandom(data.bytes(), random);
  const uint64_t share = alignDown(load.fileBytes / static_cast<uint64_t>(load.workerCount), load.blockBytes);
  const Range range{.from = share * static_cast<uint64_t>(number), .to = share * (static_cast<uint64_t>(number) + 1)};
  const uint64_t blockCount = load.fileBytes / load.blockBytes;
  uint64_t next = range.from;
  while (load.verb == Verb::Fill ? next < range.to : std::chrono::steady_clock::now() < end) {
    const uint64_t offset = load.isSequential() ? next : random() % blockCount * load.blockBytes;
    if (load.writes()) fillHalfRandom(data.bytes().first(4096), random);
    if (load.verb == Verb::Fill) fillHalfRandom(data.bytes(), random);
    const auto started = std::chrono::steady_clock::now();
    if (auto done = operate(**file, load, offset, data); !done) return done;
    const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started);
    latenciesUs.push_back(static_cast<uint32_t>(taken.count()));
    next += load.blockBytes;
    if (next + load.blockBytes > range.to && load.verb != Verb::Fill) next = range.from;
  }
  return load.writes() ? (*file)->commit() : Result<void>();
}

Result<void> prepare(const Load& load) {
  if (load.verb != Verb::Fill) return {};
  auto session = NfsSession::mount(load.url);
  if (!session) return fail(session.error());
  auto file = (*session)->create(load.path, NfsSession::Writes::Unstable);
  if (!file) return fail(file.error());
  return (*file)->resize(load.fileBytes);
}

Result<void> run(const Load& load) {
  if (auto prepared = prepare(load); !prepared) return prepared;
  std::vector<Outcome> outcomes(static_cast<size_t>(load.workerCount));
  const auto started = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < load.workerCount; ++number)
      threads.emplace_back([&, number] {
        Outcome& outcome = outcomes[static_cast<size_t>(number)];
        outcome.result = work(load, number, started + load.duration, outcome.latenciesUs);
      });
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  std::vector<uint32_t> all;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.result) return outcome.result;
    all.insert(all.end(), outcome.latenciesUs.begin(), outcome.latenciesUs.end());
  }
  if (all.empty()) return fail(ErrorCode::InvalidArgument, "no operation was done");
  std::sort(all.begin(), all.end());
  double sum = 0;
  for (const uint32_t latency : all) sum += latency;
  const double count = static_cast<double>(all.size());
  std::printf("%.0f %.1f %.0f %u\n", count / seconds, count * static_cast<double>(load.blockBytes) / 1048576 / seconds, sum / count,
              all[static_cast<size_t>((count - 1) * 0.99)]);
  return {};
}
}  // namespace

int main(int argumentCount, char** arguments) {
  static const std::map<std::string, Verb> verbs = {{"fill", Verb::Fill},
                                                    {"read", Verb::Read},
                                                    {"write", Verb::Write},
                                                    {"seqread", Verb::SequentialRead},
                                                    {"seqwrite", Verb::SequentialWrite}};
  const auto verb = verbs.find(argumentCount > 1 ? arguments[1] : "");
  if (argumentCount != 8 || verb == verbs.end()) {
    std::fprintf(stderr, "usage: nfs_load fill|read|write|seqread|seqwrite URL PATH MIB SECONDS BLOCK WORKERS\n");
    return 2;
  }
  const Load load{.verb = verb->second,
                  .url = arguments[2],
                  .path = arguments[3],
                  .fileBytes = std::stoull(arguments[4]) << 20,
                  .blockBytes = std::stoull(arguments[6]),
                  .duration = std::chrono::seconds(std::stoi(arguments[5])),
                  .workerCount = std::stoi(arguments[7])};
  const bool sensible = load.blockBytes >= 4096 && load.blockBytes <= (1 << 20) && load.workerCount >= 1 && load.workerCount <= 64 &&
                        load.fileBytes / static_cast<uint64_t>(load.workerCount) >= load.blockBytes;
  const auto done = sensible ? run(load) : fail(ErrorCode::InvalidArgument, "block 4096…1048576, 1…64 workers, a block for each");
  if (done) return 0;
  std::fprintf(stderr, "nfs_load: %s\n", done.error().message.c_str());
  return 1;
}
