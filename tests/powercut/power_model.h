// SPDX-License-Identifier: GPL-3.0-or-later
// What a store may look like after a power cut, from what was answered before it. A file's sector (512 bytes) has one durable content and
// those that were written since without being promised; sizes likewise; names and fileids are exact. In write mode `ram` nothing is promised
// but what was destaged.
//
// Threads: none. Copies are cheap: sectors are shared and never change.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/powercut/power_op.h"

namespace quarry::test {

// What was read from a store: of each file its areas, up to its size.
struct ObservedFile {
  metadata::FileId fileid = 0;
  uint64_t size = 0;
  std::map<uint64_t, std::vector<std::byte>> areas;  // by offset
};
using Observed = std::map<std::string, ObservedFile>;

class PowerModel {
 public:
  enum class Outcome { Answered, UnderWay };

  void apply(const PowerOp& op, Outcome outcome);
  void setMode(protocol::WriteMode mode) { m_mode = mode; }
  protocol::WriteMode mode() const { return m_mode; }
  // What is seen is durable from now on.
  void adopt(const Observed& observed);
  // Nothing when a store that survived may look like this, else what is wrong.
  std::optional<std::string> mismatch(const Observed& observed) const;
  // The same for a file as clients see it now, with what was written last.
  std::optional<std::string> mismatchNow(const ObservedFile& observed) const;

  // --- for whoever makes up the next operation
  const std::map<std::string, metadata::FileId>& names() const { return m_names; }
  uint64_t size(metadata::FileId fileid) const { return m_files.at(fileid).sizes.back(); }
  bool wasGiven(metadata::FileId fileid) const { return m_given.contains(fileid); }

 private:
  using Sector = std::shared_ptr<const std::array<std::byte, 512>>;  // null: zeros
  // Of both lists the first is durable, the last is what clients see now.
  struct File {
    std::vector<uint64_t> sizes{0};
    std::map<uint64_t, std::vector<Sector>> sectors;
  };

  static void write(File& file, const PowerOp& op, bool isPromised);
  static void setSize(File& file, uint64_t size);
  static void commit(File& file);
  void commitAll();
  void drop(const std::string& name);
  static std::optional<std::string> mismatch(const File& file, const ObservedFile& observed);
  static bool matches(const File& file, uint64_t sector, Bytes bytes);

  protocol::WriteMode m_mode = protocol::WriteMode::Safe;
  std::map<std::string, metadata::FileId> m_names;  // 0: made by an operation that was not answered
  std::map<metadata::FileId, File> m_files;
  std::set<metadata::FileId> m_given;               // to a client, at any time
};

}  // namespace quarry::test
