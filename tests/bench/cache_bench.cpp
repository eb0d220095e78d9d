// SPDX-License-Identifier: GPL-3.0-or-later
// What the read cache and the hit curve cost: calls a second on 1…N threads, the longest single call, RAM beyond the blocks, and what a scan
// does to a hot set. cache_bench [MIB [THREADS]]; prints tables.
#include <fmt/core.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "engine/cache/cache_budget.h"
#include "engine/cache/hit_curve.h"
#include "tests/engine/cache/cache_site.h"

using namespace quarry;
using namespace quarry::cache;

namespace {
using Watch = std::chrono::steady_clock;
constexpr uint64_t mib = uint64_t{1} << 20;
constexpr uint64_t callsPerThread = 1'000'000;

double secondsSince(Watch::time_point start) { return std::chrono::duration<double>(Watch::now() - start).count(); }

// Millions of calls a second of `call(thread, i)`.
double rateOf(size_t threads, const std::function<void(Random&)>& call) {
  std::vector<std::thread> running;
  const auto start = Watch::now();
  for (size_t thread = 0; thread < threads; ++thread)
    running.emplace_back([&call, thread] {
      Random random((thread + 1) << 40);
      for (uint64_t i = 0; i < callsPerThread; ++i) call(random);
    });
  for (auto& thread : running) thread.join();
  return static_cast<double>(threads * callsPerThread) / secondsSince(start) / 1e6;
}

void printRates(CacheSite& site, uint64_t blocks, size_t threadsMax) {
  SystemClock clock;
  fmt::print("{:>8} {:>14} {:>14} {:>14} {:>14}\n", "threads", "find hit M/s", "find miss M/s", "replace M/s", "curve M/s");
  for (size_t threads = 1; threads <= threadsMax; threads *= 2) {
    HitCurve curve(clock);
    std::atomic<uint64_t> fresh = uint64_t{threads} << 40;
    const double hit = rateOf(threads, [&](Random& random) { (void)site.cache.find({1, random.below(blocks)}); });
    const double miss = rateOf(threads, [&](Random& random) { (void)site.cache.find({9, random.next()}); });
    const double curves = rateOf(threads, [&](Random& random) { curve.access({1, random.below(blocks)}); });
    const double replace = rateOf(threads, [&](Random&) { site.cache.insert({2, fresh.fetch_add(1)}, site.allocate()); });
    for (uint64_t i = 0; i < blocks; ++i) site.read({1, i});
    fmt::print("{:>8} {:>14.2f} {:>14.2f} {:>14.2f} {:>14.2f}\n", threads, hit, miss, replace, curves);
  }
}

// Fills, then hits everything often, then evicts. The longest call of each in microseconds.
void printLongestCalls(CacheSite& site, uint64_t blocks) {
  double insert = 0, evict = 0;
  for (uint64_t i = 0; i < blocks; ++i) {
    BlockRef block = site.made({1, i});
    const auto start = Watch::now();
    site.cache.insert({1, i}, std::move(block));
    insert = std::max(insert, secondsSince(start));
  }
  for (int round = 0; round < 3; ++round)
    for (uint64_t i = 0; i < blocks; ++i) (void)site.cache.find({1, i});
  for (int i = 0; i < 64; ++i) {
    const auto start = Watch::now();
    (void)site.cache.makeRoom(16);
    evict = std::max(evict, secondsSince(start));
  }
  fmt::print("longest insert while growing {:.0f} us, longest makeRoom(16) when all was hit {:.0f} us\n", insert * 1e6, evict * 1e6);
}

double hitRatio(CacheSite& site, const Zipf& zipf, uint64_t count, uint64_t scanned) {
  static uint64_t scanAt = 0;
  static Random random(1);
  uint64_t hits = 0;
  for (uint64_t i = 0; i < count; ++i) {
    hits += site.read({1, zipf.draw(random)});
    for (uint64_t s = 0; s < scanned; ++s) site.read({2, scanAt++});
  }
  return static_cast<double>(hits) / static_cast<double>(count);
}

void printScans() {
  constexpr uint64_t blocks = 16'384;
  fmt::print("{:>8} {:>10} {:>16} {:>16} {:>16}\n", "zipf", "alone", "after 10x scan", "scan 1:1", "scan 4:1");
  for (const double skew : {0.7, 0.9, 1.1}) {
    CacheSite site(2 * blocks * blockBytes, blocks * blockBytes);
    const Zipf zipf(4 * blocks, skew);
    hitRatio(site, zipf, 20 * blocks, 0);
    const double alone = hitRatio(site, zipf, 5 * blocks, 0);
    for (uint64_t i = 0; i < 10 * blocks; ++i) site.read({3, i});
    const double after = hitRatio(site, zipf, 2 * blocks, 0);
    const double one = hitRatio(site, zipf, 5 * blocks, 1);
    const double four = hitRatio(site, zipf, 5 * blocks, 4);
    fmt::print("{:>8} {:>10.3f} {:>16.3f} {:>16.3f} {:>16.3f}\n", skew, alone, after, one, four);
  }
}

void printShrink(CacheSite& site, uint64_t bytes, uint64_t residentBefore) {
  const uint64_t blocks = site.cache.figures().bytes / blockBytes;
  const uint64_t overhead = residentBytesOfProcess() - residentBefore - site.pool.residentBytes();
  fmt::print("{} blocks, {:.0f} bytes of RAM for each beyond its own\n", blocks, static_cast<double>(overhead) / static_cast<double>(blocks));
  const auto start = Watch::now();
  site.setBudget(bytes / 32);
  fmt::print("shrunk to {} MiB in {:.0f} ms, resident {} MiB\n", bytes / 32 / mib, secondsSince(start) * 1e3,
             (residentBytesOfProcess() - residentBefore) / mib);
}
}  // namespace

int main(int argumentCount, char** arguments) {
  const uint64_t bytes = (argumentCount > 1 ? std::stoull(arguments[1]) : 1024) * mib;
  const size_t threadsMax = argumentCount > 2 ? std::stoull(arguments[2]) : std::max(2u, std::thread::hardware_concurrency());
  const uint64_t blocks = bytes / blockBytes;
  const uint64_t before = residentBytesOfProcess();
  CacheSite site(2 * bytes, bytes);
  printLongestCalls(site, blocks);
  printShrink(site, bytes, before);
  site.setBudget(bytes);
  for (uint64_t i = 0; i < blocks; ++i) site.read({1, i});
  printRates(site, blocks, threadsMax);
  printScans();
  return 0;
}
