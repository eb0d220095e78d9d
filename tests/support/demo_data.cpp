// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/demo_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace quarry::test {
namespace {

using namespace protocol;

constexpr uint64_t gib = 1024ull * 1024 * 1024;

struct VmSeed {
  const char* vstorage;
  const char* name;
  const char* guest;
  int sizeGib;
};

constexpr std::array<VmSeed, 35> vmSeeds = {{
    {"lab1", "dc01", "Windows Server 2022", 60},
    {"lab1", "dc02", "Windows Server 2022", 60},
    {"lab1", "exchange-mailbox-database-availability-group-member-01.corp.example.com", "Windows Server 2019", 500},
    {"lab1", "SQL-2019 production (accounting, do not power off without asking finance first)", "Windows Server 2019", 800},
    {"lab1", "file01", "Windows Server 2022", 2000},
    {"lab1", "print", "Windows Server 2016", 60},
    {"lab1", "wsus", "Windows Server 2022", 300},
    {"lab1", "web01", "Debian 12", 20},
    {"lab1", "web02", "Debian 12", 20},
    {"lab1", "web03", "Debian 12", 20},
    {"lab1", "proxy", "Debian 12", 10},
    {"lab1", "db01", "Debian 12", 200},
    {"lab1", "db02", "Debian 12", 200},
    {"lab1", "git", "Debian 12", 120},
    {"lab1", "build01", "Ubuntu 24.04", 160},
    {"lab1", "build02", "Ubuntu 24.04", 160},
    {"lab1", "monitor", "Debian 12", 80},
    {"lab1", "backup-proxy", "Rocky Linux 9", 50},
    {"lab2", "vdi-template-windows-11-enterprise-23h2-office-ltsc-2024-de-DE-gold-image-v17", "Windows 11", 80},
    {"lab2", "vdi-01", "Windows 11", 80},
    {"lab2", "vdi-02", "Windows 11", 80},
    {"lab2", "vdi-03", "Windows 11", 80},
    {"lab2", "vdi-04", "Windows 11", 80},
    {"lab2", "vdi-05", "Windows 11", 80},
    {"lab2", "vdi-06", "Windows 11", 80},
    {"lab2", "vdi-07", "Windows 11", 80},
    {"lab2", "vdi-08", "Windows 11", 80},
    {"lab2", "vdi-09", "Windows 11", 80},
    {"lab2", "vdi-10", "Windows 11", 80},
    {"lab2", "vdi-11", "Windows 11", 80},
    {"lab2", "vdi-12", "Windows 11", 80},
    {"lab2", "zażółć-gęślą-jaźń", "Ubuntu 24.04", 40},
    {"lab2", "test", "", 8},
    {"lab2", "router", "FreeBSD 14", 4},
    {"lab2", "old-nt4", "Windows NT", 2},
}};

void add(Savings& total, const Savings& one) {
  total.logicalBytes += one.logicalBytes;
  total.zeroBytes += one.zeroBytes;
  total.duplicateBytes += one.duplicateBytes;
  total.compressedAwayBytes += one.compressedAwayBytes;
  total.storedBytes += one.storedBytes;
  total.landingBytes += one.landingBytes;
  const double whole = static_cast<double>(total.logicalBytes - total.zeroBytes);
  total.savedRatio = whole == 0 ? 0 : static_cast<double>(total.duplicateBytes + total.compressedAwayBytes) / whole;
}

VmInfo makeVm(const VmSeed& seed, std::mt19937& random) {
  const auto between = [&random](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  VmInfo vm;
  vm.vstorage = seed.vstorage;
  vm.name = seed.name;
  vm.guest = seed.guest;
  vm.diskCount = seed.sizeGib > 250 ? 2u : 1u;
  vm.savings = demoSavings(static_cast<uint64_t>(seed.sizeGib) * gib, between(0.3, 0.7), between(0.4, 0.9), between(0.3, 0.5), between(0, 0.1));
  vm.readIops = between(5, 400);
  vm.writeIops = between(2, 150);
  vm.readBytesPerSecond = vm.readIops * between(8, 32) * 1024;
  vm.writeBytesPerSecond = vm.writeIops * between(4, 16) * 1024;
  vm.readLatencyUs = between(150, 900);
  vm.writeLatencyUs = between(300, 1500);
  vm.readLatencyP99Us = vm.readLatencyUs * 4;
  vm.writeLatencyP99Us = vm.writeLatencyUs * 3;
  vm.ioBytes = (vm.readBytesPerSecond + vm.writeBytesPerSecond) / (vm.readIops + vm.writeIops);
  vm.hitRatio = between(0.4, 0.999);
  vm.lastWriteAt = "2026-11-30T00:50:00Z";
  return vm;
}

VstorageInfo makeVstorage(const std::string& name, const std::vector<std::string>& clients, const std::vector<VmInfo>& vms) {
  VstorageInfo vstorage;
  vstorage.name = name;
  vstorage.writeMode = WriteMode::Safe;
  vstorage.clients = clients;
  vstorage.createdAt = "2026-10-01T08:00:00Z";
  vstorage.mountCount = 3;
  for (const VmInfo& vm : vms) {
    if (vm.vstorage != name) continue;
    ++vstorage.vmCount;
    vstorage.fileCount += 8;
    add(vstorage.savings, vm.savings);
  }
  return vstorage;
}

std::vector<JobInfo> makeJobs() {
  JobInfo done;
  done.id = 11;
  done.type = JobType::Optimize;
  done.state = JobState::Done;
  done.startedAt = "2026-11-29T20:00:00Z";
  done.endedAt = "2026-11-29T21:10:00Z";
  done.bytesTotal = done.bytesDone = 1300 * gib;
  done.secondsTaken = 4200;
  done.zeroBytes = 500 * gib;
  done.duplicateBytes = 610 * gib;
  done.newBytes = 190 * gib;
  done.storedBytes = 96 * gib;
  done.freedBytes = 700 * gib;
  JobInfo failed;
  failed.id = 12;
  failed.type = JobType::Optimize;
  failed.state = JobState::Failed;
  failed.vstorage = "lab2";
  failed.startedAt = "2026-11-29T22:00:00Z";
  failed.endedAt = "2026-11-29T22:00:04Z";
  failed.error = "the reserve of the store is reached: free 40 GiB on its disk";
  JobInfo running;
  running.id = 13;
  running.type = JobType::Optimize;
  running.state = JobState::Running;
  running.vstorage = "lab1";
  running.startedAt = "2026-11-30T00:40:00Z";
  running.currentFile = "db01/db01-flat.vmdk";
  running.bytesTotal = 200 * gib;
  running.bytesDone = 84 * gib;
  running.bytesPerSecond = 310ull * 1024 * 1024;
  running.secondsLeft = 383;
  running.secondsTaken = 280;
  running.duplicateBytes = 40 * gib;
  running.newBytes = 14 * gib;
  running.storedBytes = 7 * gib;
  return {done, failed, running};
}

std::vector<Event> makeEvents() {
  return {{.id = 1, .at = "2026-11-29T08:00:00Z", .severity = Severity::Info, .subject = "store", .text = "The engine started."},
          {.id = 2, .at = "2026-11-29T21:10:00Z", .severity = Severity::Info, .subject = "job 11", .text = "Optimization done: 700 GiB freed."},
          {.id = 3, .at = "2026-11-29T22:00:04Z", .severity = Severity::Error, .subject = "job 12",
           .text = "Optimization failed: the reserve of the store is reached."},
          {.id = 4, .at = "2026-11-30T00:10:00Z", .severity = Severity::Warning, .subject = "vstorage lab2",
           .text = "10.0.0.77 tried to mount and is not in the list."}};
}

void describeIo(std::vector<StatDescription>& out, const std::string& prefix) {
  for (const std::string direction : {"read", "write"}) {
    const std::string path = prefix + direction + "/";
    out.push_back({.id = path + "iops", .unit = Unit::PerSecond, .text = "NFS " + direction + " requests", .maximum = 0});
    out.push_back({.id = path + "bytes", .unit = Unit::BytesPerSecond, .text = "Bytes of NFS " + direction + " requests", .maximum = 0});
    out.push_back({.id = path + "latency", .unit = Unit::Microseconds, .text = "Mean time to answer a " + direction, .maximum = 0});
    out.push_back({.id = path + "latency-p99", .unit = Unit::Microseconds, .text = "99 % of each " + direction + " were answered in", .maximum = 0});
    out.push_back({.id = path + "io-size", .unit = Unit::Bytes, .text = "Mean size of a " + direction, .maximum = 0});
  }
}

void describeSavings(std::vector<StatDescription>& out, const std::string& prefix) {
  for (const std::string part : {"logical", "zero", "duplicate", "compressed", "stored", "landing"})
    out.push_back({.id = prefix + "savings/" + part, .unit = Unit::Bytes, .text = "Bytes: " + part, .maximum = 0});
}

void describeCache(std::vector<StatDescription>& out) {
  out.push_back({.id = "cache/hit_ratio", .unit = Unit::Ratio, .text = "Reads answered from RAM", .maximum = 1});
  out.push_back({.id = "cache/read/bytes", .unit = Unit::Bytes, .text = "Clean bytes kept for reads", .maximum = 0});
  out.push_back({.id = "cache/read/evictions", .unit = Unit::PerSecond, .text = "Clean blocks that gave way", .maximum = 0});
  out.push_back({.id = "cache/write/dirty", .unit = Unit::Bytes, .text = "Bytes not yet in landing files", .maximum = 4.0 * static_cast<double>(gib)});
  out.push_back({.id = "cache/write/unprotected", .unit = Unit::Bytes, .text = "Acknowledged bytes in RAM alone", .maximum = 0});
  out.push_back({.id = "cache/write/oldest_unprotected", .unit = Unit::Seconds, .text = "Age of the oldest of them", .maximum = 0});
  out.push_back({.id = "cache/write/absorbed", .unit = Unit::BytesPerSecond, .text = "Overwritten before they were destaged", .maximum = 0});
  out.push_back({.id = "journal/used", .unit = Unit::Bytes, .text = "Bytes of the journal that are needed", .maximum = 4.0 * static_cast<double>(gib)});
}

CacheInfo makeCache() {
  constexpr uint64_t mib = gib / 1024;
  CacheInfo cache;
  cache.budgetBytes = 16 * gib;
  cache.budgetBytesMin = gib / 4;
  cache.budgetBytesMax = 48 * gib;
  cache.machineBytes = 64 * gib;
  cache.machineAvailableBytes = 41 * gib;
  cache.dirtyBytes = 412 * mib;
  cache.dirtyBytesMax = 4 * gib;
  cache.readBytes = cache.budgetBytes - cache.dirtyBytes;
  cache.usedBytes = cache.budgetBytes;
  cache.residentBytes = 17 * gib;
  cache.oldestDirtySeconds = 3;
  cache.journalBytes = 4 * gib;
  cache.journalUsedBytes = 700 * mib;
  cache.hitRatio = 0.912;
  cache.readsPerSecond = 6202;
  cache.diskReadsPerSecond = 546;
  cache.absorbedRatio = 0.38;
  cache.evictionCount = 1'204'331;
  cache.vstorages = {{.name = "lab1", .writeMode = WriteMode::Safe, .hitRatio = 0.887, .dirtyBytes = 300 * mib, .absorbedRatio = 0.41},
                     {.name = "lab2", .writeMode = WriteMode::Safe, .hitRatio = 0.958, .dirtyBytes = 112 * mib, .absorbedRatio = 0.29}};
  return cache;
}

CacheAdvice makeAdvice() {
  CacheAdvice advice{.curves = {demoCurve("", 0.97, 4 * gib), demoCurve("lab1", 0.95, 6 * gib), demoCurve("lab2", 0.985, 2 * gib)}, .budgetBytes = 16 * gib};
  advice.diskReadsPerSecond = 546;
  return advice;
}

// −1…1, without the cost of seeding a generator for each of the many thousand values of a history.
double noiseOf(uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ull;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebull;
  return static_cast<double>((number ^ (number >> 31)) % 2001) / 1000 - 1;
}

double usualValue(const std::string& id) {
  const double scale = id.starts_with("engine/") ? 30 : id.starts_with("vstorage/") ? 15 : 1;
  const bool isRead = id.find("/read/") != std::string::npos;
  if (id == "cache/hit_ratio") return 0.91;
  if (id == "cache/write/dirty") return 412.0 * static_cast<double>(gib) / 1024;
  if (id.starts_with("cache/write/") && id.ends_with("unprotected")) return 0;
  if (id.ends_with("/iops")) return scale * (isRead ? 180 : 70);
  if (id.ends_with("/bytes")) return scale * (isRead ? 180 * 16384.0 : 70 * 8192.0);
  if (id.ends_with("/latency")) return isRead ? 420 : 800;
  if (id.ends_with("/latency-p99")) return isRead ? 2100 : 3900;
  if (id.ends_with("/io-size")) return isRead ? 16384 : 8192;
  return scale * 100.0 * static_cast<double>(gib);
}

}  // namespace

Savings demoSavings(uint64_t logicalBytes, double zeroShare, double duplicateShare, double compressedShare, double landingShare) {
  const auto part = [](uint64_t whole, double share) { return static_cast<uint64_t>(static_cast<double>(whole) * share); };
  Savings savings{.logicalBytes = logicalBytes, .zeroBytes = part(logicalBytes, zeroShare)};
  const uint64_t nonZero = logicalBytes - savings.zeroBytes;
  savings.landingBytes = part(nonZero, landingShare);
  const uint64_t optimized = nonZero - savings.landingBytes;
  savings.duplicateBytes = part(optimized, duplicateShare);
  savings.compressedAwayBytes = part(optimized - savings.duplicateBytes, compressedShare);
  savings.storedBytes = nonZero - savings.duplicateBytes - savings.compressedAwayBytes;
  savings.savedRatio = nonZero == 0 ? 0 : static_cast<double>(savings.duplicateBytes + savings.compressedAwayBytes) / static_cast<double>(nonZero);
  return savings;
}

CacheCurve demoCurve(const std::string& vstorage, double best, uint64_t halfBytes) {
  CacheCurve curve{.vstorage = vstorage, .accessCount = 3'400'000, .points = {}};
  for (uint64_t bytes = gib; bytes <= 64 * gib; bytes += gib)
    curve.points.push_back({bytes, best * (1 - std::exp2(-static_cast<double>(bytes) / static_cast<double>(halfBytes)))});
  return curve;
}

std::vector<StatDescription> describeAll(const std::vector<VstorageInfo>& vstorages, const std::vector<VmInfo>& vms) {
  std::vector<StatDescription> all;
  describeIo(all, "engine/");
  describeSavings(all, "engine/");
  describeCache(all);
  for (const VstorageInfo& vstorage : vstorages) {
    describeIo(all, "vstorage/" + vstorage.name + "/");
    describeSavings(all, "vstorage/" + vstorage.name + "/");
  }
  for (const VmInfo& vm : vms) describeIo(all, "vm/" + vm.vstorage + "/" + vm.name + "/");
  return all;
}

DemoData makeDemoData(uint32_t seed) {
  std::mt19937 random(seed);
  DemoData data;
  for (const VmSeed& one : vmSeeds) data.vms.push_back(makeVm(one, random));
  data.vstorages = {makeVstorage("lab1", {"10.0.0.0/24"}, data.vms), makeVstorage("lab2", {"10.0.0.11", "10.0.0.12", "10.0.0.13"}, data.vms)};
  data.jobs = makeJobs();
  data.events = makeEvents();
  data.descriptions = describeAll(data.vstorages, data.vms);
  data.cache = makeCache();
  data.advice = makeAdvice();
  data.status.engineVersion = "0.1.0";
  data.status.storePath = "/srv/quarry";
  data.status.storeId = "6f1d7c";
  data.status.nfsAddress = "0.0.0.0";
  data.status.nfsPort = 2049;
  data.status.controlSocket = "/run/quarry/control.sock";
  data.status.startedAt = "2026-11-29T08:00:00Z";
  data.status.uptimeSeconds = 60'000;
  data.status.hostAddresses = {"10.0.0.5"};
  data.status.vstorageCount = static_cast<int>(data.vstorages.size());
  data.status.vmCount = static_cast<int>(data.vms.size());
  data.status.connectionCount = 6;
  for (const VstorageInfo& vstorage : data.vstorages) add(data.status.savings, vstorage.savings);
  data.status.space = {.diskBytes = 4000 * gib, .freeBytes = 2200 * gib, .reserveBytes = 80 * gib, .availableBytes = 2120 * gib};
  data.status.space.storeBytes = data.status.savings.storedBytes + 2 * gib;
  return data;
}

double demoValue(const std::string& id, int64_t unixMs, uint32_t seed) {
  const auto mixed = static_cast<uint32_t>(std::hash<std::string>{}(id)) ^ seed;
  const double phase = static_cast<double>(mixed % 1000) / 1000 * 2 * std::numbers::pi;
  const double seconds = static_cast<double>(unixMs) / 1000;
  if (id.find("/savings/") != std::string::npos) return usualValue(id) * (1 + 0.01 * std::sin(seconds / 86400 + phase));
  const double noise = 0.12 * noiseOf((uint64_t{mixed} << 32) ^ static_cast<uint64_t>(unixMs / 1000));
  if (id == "cache/hit_ratio") return usualValue(id) + 0.05 * std::sin(seconds / 47 + phase) + 0.1 * noise;
  const double wave = 0.35 * std::sin(seconds / 47 + phase) + 0.2 * std::sin(seconds / 7000 + phase);
  return usualValue(id) * std::max(0.02, 1 + wave + noise);
}

}  // namespace quarry::test
