// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/powercut/power_op.h"

#include <fmt/core.h>

#include <cstring>

namespace quarry::test {

namespace {

uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace

std::string_view name(protocol::WriteMode mode) {
  switch (mode) {
    case protocol::WriteMode::Safe: return modeNames[0];
    case protocol::WriteMode::Through: return modeNames[1];
    case protocol::WriteMode::Ram: return modeNames[2];
  }
  return {};
}

std::string describe(const PowerOp& op) {
  switch (op.kind) {
    case OpKind::Create: return fmt::format("create {}", op.name);
    case OpKind::Read: return fmt::format("read file {}", op.fileid);
    case OpKind::Write:
      return fmt::format("{} file {} at {} + {} with content {}", op.stability == Stability::Unstable ? "write unstable" : "write", op.fileid, op.offset,
                         op.length, op.content);
    case OpKind::Commit: return fmt::format("commit file {}", op.fileid);
    case OpKind::SetSize: return fmt::format("set size of file {} to {}", op.fileid, op.size);
    case OpKind::Rename: return fmt::format("rename {} to {}", op.name, op.target);
    case OpKind::Remove: return fmt::format("remove {}", op.name);
    case OpKind::Optimize: return "optimize";
    case OpKind::Destage: return "destage";
    case OpKind::SetMode: return fmt::format("switch to {}", name(op.mode));
  }
  return {};
}

// Aligned to the file's blocks, so that the same content written at another block is found again; half of each sector compresses.
std::vector<std::byte> contentOf(const PowerOp& write) {
  std::vector<std::byte> bytes(write.length);
  if (write.content == 0) return bytes;
  const uint64_t firstBlock = write.offset / blockBytes;
  for (uint64_t i = 0; i < write.length; ++i) {
    const uint64_t at = write.offset + i;
    const uint64_t word = at % blockBytes / 8, number = write.content * 1'000'000 + (at / blockBytes - firstBlock) * 1000 + (word % 2 ? 999 : word);
    bytes[i] = static_cast<std::byte>(mixed(number) >> (at % 8 * 8));
  }
  return bytes;
}

}  // namespace quarry::test
