// SPDX-License-Identifier: GPL-3.0-or-later
// One thing a client or a job does in a power-cut run, as plain values, and the bytes that a write of it carries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metadata/inode_table.h"
#include "engine/vstorage/vstorage.h"

namespace quarry::test {

// The parts of a file that writes touch; everything else of it stays a hole. The second one crosses the border of two segments.
struct FileArea {
  uint64_t offset = 0, length = 0;
};
inline constexpr FileArea fileAreas[] = {{0, 64 * 1024}, {segmentBytes - 16 * 1024, 32 * 1024}};
inline constexpr uint64_t fileEndMax = fileAreas[1].offset + fileAreas[1].length;

enum class OpKind { Create, Read, Write, Commit, SetSize, Rename, Remove, Optimize, Destage, SetMode };

struct PowerOp {
  OpKind kind = OpKind::Optimize;
  std::string name{}, target{};    // Create, Rename, Remove
  metadata::FileId fileid = 0;     // of what it touches; of a Create known when it was answered
  uint64_t offset = 0, length = 0; // Write
  Stability stability = Stability::FileSync;
  uint64_t content = 0;            // Write: which bytes; equal numbers are equal blocks, 0 is zeros
  uint64_t size = 0;               // SetSize
  protocol::WriteMode mode = protocol::WriteMode::Safe;  // SetMode
};

inline constexpr std::string_view modeNames[] = {"safe", "through", "ram"};
std::string_view name(protocol::WriteMode mode);
std::string describe(const PowerOp& op);
std::vector<std::byte> contentOf(const PowerOp& write);

}  // namespace quarry::test
