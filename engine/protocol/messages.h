// SPDX-License-Identifier: GPL-3.0-or-later
// Requests, replies and notifications of the control protocol as plain values. Bytes are integers, ratios 0…1, times
// ISO 8601 UTC strings ("2026-11-30T19:22:04Z"), ages and durations whole seconds. protocol/codec.h turns them into JSON with
// the members' own names; engine/protocol/README.md is the protocol page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quarry::protocol {

// First line the engine sends on every connection (notification "hello").
struct Hello {
  int protocolMajor = 0;
  int protocolMinor = 0;
  std::string engineVersion;
};

enum class StoreState { Serving, ReadOnly };       // "serving", "read-only"
enum class WriteMode { Safe, Through, Ram };       // "safe", "through", "ram"
enum class Squash { None, Root, All };             // "none", "root", "all"
enum class JobType { Optimize, GarbageCollection, Scrub, Rehydrate, Estimate };  // "optimize", "gc", "scrub", "rehydrate", "estimate"
enum class JobState { Queued, Running, Paused, Done, Failed, Cancelled };        // lower-case names
enum class Severity { Info, Warning, Error };      // lower-case names

// Where the logical bytes went. logical = zero + duplicate + compressedAway + stored (stored here counts optimized frames and
// landing data that belong to what is measured).
struct Savings {
  uint64_t logicalBytes = 0;         // what clients see
  uint64_t zeroBytes = 0;            // holes and zero blocks
  uint64_t duplicateBytes = 0;       // present once already
  uint64_t compressedAwayBytes = 0;  // removed by compression
  uint64_t storedBytes = 0;          // what the disk holds for it
  uint64_t landingBytes = 0;         // part of stored: not optimized yet
  double savedRatio = 0;             // saved share of the non-zero bytes: (duplicate + compressedAway) / (logical - zero)

  bool operator==(const Savings&) const = default;
};

struct Space {
  uint64_t diskBytes = 0;
  uint64_t freeBytes = 0;      // of the disk
  uint64_t reserveBytes = 0;   // kept back for rewriting optimized data
  uint64_t availableBytes = 0; // what clients see as free
  uint64_t storeBytes = 0;     // what the store's files take on the disk, databases included (as du counts)
};

struct EngineStatus {
  std::string engineVersion;
  StoreState state = StoreState::Serving;
  std::string reason;          // why it is read-only; empty while serving
  std::string storePath;
  std::string storeId;
  std::string nfsAddress;      // address it listens on, e.g. "0.0.0.0"
  int nfsPort = 0;
  std::string controlSocket;
  std::string startedAt;
  uint64_t uptimeSeconds = 0;
  std::vector<std::string> hostAddresses;  // addresses under which hosts may reach this machine; for mount commands
  int vstorageCount = 0;
  int vmCount = 0;
  uint64_t connectionCount = 0;
  Space space;
  Savings savings;
};

struct Policy {
  uint64_t minAgeSeconds = 3600;
  uint64_t minSizeBytes = 0;
  std::vector<std::string> exclude;  // globs over the path inside the vstorage; ".lck*" and "*.vswp" are always excluded
  int level = 1;                     // zstd, 1…19

  bool operator==(const Policy&) const = default;
};

struct VstorageInfo {
  std::string name;
  WriteMode writeMode = WriteMode::Safe;
  std::vector<std::string> clients;  // addresses or CIDR ranges
  Squash squash = Squash::None;
  bool readOnly = false;
  uint64_t quotaBytes = 0;           // 0: none
  std::string createdAt;
  uint64_t fileCount = 0;
  int vmCount = 0;
  uint64_t mountCount = 0;           // clients that use it: seen within the last day, and no unmount since
  uint64_t unprotectedBytes = 0;     // acknowledged and in RAM alone: lost at a power cut
  Savings savings;
  Policy policy;

  bool operator==(const VstorageInfo&) const = default;
};

struct VstorageCreate {
  std::string name;
  WriteMode writeMode = WriteMode::Safe;
  std::vector<std::string> clients;  // empty: loopback only
  Squash squash = Squash::None;
  bool readOnly = false;
  uint64_t quotaBytes = 0;
};

// Only members that are set are changed.
struct VstorageSet {
  std::string name;
  std::optional<WriteMode> writeMode;
  std::optional<std::vector<std::string>> clients;
  std::optional<Squash> squash;
  std::optional<bool> readOnly;
  std::optional<uint64_t> quotaBytes;
};

struct VstorageRemove {
  std::string name;
  bool force = false;  // without it a vstorage that holds files is refused
};

// Names one vstorage: vstorage.show, policy.show.
struct VstorageRequest {
  std::string name;
};

struct PolicySet {
  std::string name;  // of the vstorage
  std::optional<uint64_t> minAgeSeconds;
  std::optional<uint64_t> minSizeBytes;
  std::optional<std::vector<std::string>> exclude;
  std::optional<int> level;
};

struct JobStart {
  JobType type = JobType::Optimize;
  std::string vstorage;   // empty: all
  std::string vm;         // empty: all
  std::string path;       // inside the vstorage; empty: all
  std::optional<uint64_t> minAgeSeconds;  // overrides the policy
};

struct JobInfo {
  int64_t id = 0;
  JobType type = JobType::Optimize;
  JobState state = JobState::Queued;
  std::string vstorage, vm, path;       // what it was started for
  std::string currentFile;              // being worked on
  std::string startedAt, endedAt;       // empty when not yet
  uint64_t bytesTotal = 0;              // to look at
  uint64_t bytesDone = 0;
  uint64_t bytesPerSecond = 0;          // mean of the last seconds
  uint64_t secondsLeft = 0;             // 0: unknown
  uint64_t secondsTaken = 0;
  uint64_t filesSeen = 0, filesSkipped = 0, segmentsSkipped = 0;
  uint64_t zeroBytes = 0, duplicateBytes = 0, newBytes = 0, storedBytes = 0;  // found; stored = newBytes after compression
  uint64_t freedBytes = 0;              // landing space given back
  std::string error;                    // one line, when failed
  uint64_t problemCount = 0;            // damage and failures that did not end it
  std::vector<std::string> notes;       // the problems, then what was skipped and why; at most 100 lines

  bool operator==(const JobInfo&) const = default;
};

// Names one job: job.show, job.cancel.
struct JobRequest {
  int64_t id = 0;
};

struct VmList {
  std::string vstorage;  // empty: all
};

struct VmShow {
  std::string vstorage;  // empty: whichever vstorage has the only VM of this name
  std::string name;
};

struct VmInfo {
  std::string vstorage;
  std::string name;
  std::string guest;         // guestOS of the .vmx, as a person says it; empty when unknown
  uint64_t diskCount = 0;
  Savings savings;
  double readIops = 0, writeIops = 0, readBytesPerSecond = 0, writeBytesPerSecond = 0;
  double readLatencyUs = 0, writeLatencyUs = 0, readLatencyP99Us = 0, writeLatencyP99Us = 0;
  double ioBytes = 0;        // mean I/O size
  std::optional<double> hitRatio;  // reads answered from RAM, last minute; none when nothing was read
  std::string lastWriteAt;

  bool operator==(const VmInfo&) const = default;
};

struct VmFile {
  std::string path;
  uint64_t fileid = 0;
  Savings savings;
  std::string modifiedAt;
};
struct VmDetail {
  VmInfo vm;
  std::vector<VmFile> files;
};

// What the caches do for one vstorage. A ratio is none while there is nothing to divide by.
struct CacheVstorage {
  std::string name;
  WriteMode writeMode = WriteMode::Safe;
  std::optional<double> hitRatio;           // of reads, last minute
  uint64_t dirtyBytes = 0;                  // not yet in landing files
  uint64_t unprotectedBytes = 0;            // of them, acknowledged and in RAM alone
  uint64_t oldestUnprotectedSeconds = 0;    // 0 when there are none
  std::optional<double> absorbedRatio;      // share of the written bytes that was overwritten before it was destaged, since the start

  bool operator==(const CacheVstorage&) const = default;
};

struct CacheInfo {
  uint64_t budgetBytes = 0;                 // for blocks, clean and dirty
  uint64_t budgetBytesMin = 0, budgetBytesMax = 0;  // what cache.size accepts on this machine
  uint64_t machineBytes = 0;                // RAM of the machine, or of the engine's container
  uint64_t machineAvailableBytes = 0;       // of it, free or freed on demand, what the engine holds not included
  uint64_t usedBytes = 0;                   // blocks held now: readBytes + dirtyBytes
  uint64_t residentBytes = 0;               // what the whole engine really takes
  uint64_t readBytes = 0;                   // clean
  uint64_t dirtyBytes = 0, dirtyBytesMax = 0;
  uint64_t unprotectedBytes = 0;            // of the dirty ones, acknowledged and in RAM alone
  uint64_t oldestDirtySeconds = 0, oldestUnprotectedSeconds = 0;
  uint64_t journalBytes = 0, journalUsedBytes = 0;
  std::optional<double> hitRatio;           // of reads, last minute
  double readsPerSecond = 0;                // blocks asked for, last minute
  double diskReadsPerSecond = 0;            // of them, those that were not in RAM
  std::optional<double> absorbedRatio;      // as in CacheVstorage
  uint64_t evictionCount = 0;               // since the start
  std::vector<CacheVstorage> vstorages;     // by name

  bool operator==(const CacheInfo&) const = default;
};

// From the next block on; what is too much is given back within seconds.
struct CacheSizeSet {
  uint64_t bytes = 0;
};

struct CachePoint {
  uint64_t bytes = 0;   // of cache
  double hitRatio = 0;  // it would have had

  bool operator==(const CachePoint&) const = default;
};

// The hit ratio that each size would have had on the reads measured; protocol/cache_curve.h reads it.
struct CacheCurve {
  std::string vstorage;           // empty: the whole engine
  uint64_t accessCount = 0;       // blocks read that it stands for; few of them make a poor curve
  std::vector<CachePoint> points; // by rising bytes; at most 256

  bool operator==(const CacheCurve&) const = default;
};

struct CacheAdvice {
  std::vector<CacheCurve> curves;  // the engine's first, then the vstorages' by name
  uint64_t budgetBytes = 0;        // now
  double diskReadsPerSecond = 0;   // now, as in CacheInfo

  bool operator==(const CacheAdvice&) const = default;
};

struct CacheFlush {
  std::string vstorage;  // empty: all
};
struct CacheFlushed {
  uint64_t bytes = 0;  // that were dirty and are in landing files now
};

struct Event {
  int64_t id = 0;
  std::string at;
  Severity severity = Severity::Info;
  std::string subject;  // "store", "vstorage NAME", "vm NAME", "job 12", …
  std::string text;

  bool operator==(const Event&) const = default;
};

}  // namespace quarry::protocol
