// SPDX-License-Identifier: GPL-3.0-or-later
// What a client of an NFS export knows about its files: which bytes were acknowledged as stable, which may or may not have survived, and
// the one operation that was under way when the server vanished. Kept as a log on disk that is written before and after every operation.
//
// The grain is a unit of 512 bytes, so that writes that are not aligned to blocks are covered. A unit's content is made from its tag;
// tag 0 is zeros. One thread per model. Failure: IoError when the log cannot be read or written, Corrupt when a line makes no sense.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"

namespace quarry::test {

using Tag = uint64_t;
inline constexpr uint64_t unitBytes = 512;
inline constexpr uint32_t fileUnitsMax = 12 * 1024 * 1024 / unitBytes;  // three segments
inline constexpr uint32_t writeUnitsMax = 512;

// The bytes of a unit: half of them random, half compressible.
void fillUnit(Tag tag, MutableBytes unit);

// Units are tagged tag, tag + 1, …; of an operation that writes zeros, tag is 0 throughout.
struct Operation {
  enum class Kind { Create, WriteStable, WriteUnstable, Commit, Resize, Rename, Remove };
  Kind kind = Kind::Create;
  std::string name = {}, toName = {};
  uint32_t firstUnit = 0, unitCount = 0;  // of Resize: unitCount is the new size
  Tag tag = 0;
};

struct FileModel {
  struct Unit {
    Tag acknowledged = 0;
    std::vector<Tag> unsure;  // later writes that may or may not be stable, in order
    Tag latest() const { return unsure.empty() ? acknowledged : unsure.back(); }
    bool mayBe(Tag tag) const;
  };
  uint32_t sizeUnits = 0;                 // acknowledged
  std::vector<uint32_t> unsureSizes;
  std::vector<Unit> units = std::vector<Unit>(fileUnitsMax);

  uint32_t latestSize() const { return unsureSizes.empty() ? sizeUnits : unsureSizes.back(); }
  bool maySizeBe(uint32_t size) const;
};

class CrashModel {
 public:
  using Files = std::map<std::string, FileModel>;

  // Reads the log at `path`, or starts an empty one.
  static Result<CrashModel> open(const std::string& path);

  Files& files() { return m_files; }
  const Files& files() const { return m_files; }
  const std::optional<Operation>& pending() const { return m_pending; }
  uint64_t acknowledgedCount() const { return m_acknowledgedCount; }

  Result<void> begin(const Operation& operation);  // before it is sent
  Result<void> done();                             // after it was answered with success

  // What pending() would have changed, had it happened: for files it touches, both outcomes become possible.
  void makePendingUnsure();
  // Applies pending() as if it had been answered, or forgets it.
  enum class Outcome { Happened, DidNotHappen };
  void settlePending(Outcome outcome);
  // Writes the log anew with the present state, all of it acknowledged, nothing pending.
  Result<void> rewrite();

 private:
  explicit CrashModel(std::string path) : m_path(std::move(path)) {}
  Result<void> replay(std::istream& log);
  Result<void> replayFile(std::istream& line);
  void apply(const Operation& operation);

  std::string m_path;
  std::ofstream m_log;
  Files m_files;
  std::optional<Operation> m_pending;
  uint64_t m_acknowledgedCount = 0;
};

}  // namespace quarry::test
