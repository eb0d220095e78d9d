// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/powercut/power_workload.h"

#include <algorithm>
#include <array>

namespace quarry::test {

namespace {

const std::array<std::string, 4> fileNames{"a", "b", "c", "d"};
constexpr uint64_t contentsShared = 3;  // numbers that come again and again

PowerOp makeWrite(metadata::FileId fileid, uint64_t offset, uint64_t length, uint64_t content, Stability stability = Stability::FileSync) {
  return {.kind = OpKind::Write, .fileid = fileid, .offset = offset, .length = length, .stability = stability,
          .content = content};
}
PowerOp makeNamed(OpKind kind, std::string name, std::string target = {}) {
  return {.kind = kind, .name = std::move(name), .target = std::move(target)};
}
PowerOp makeOn(OpKind kind, metadata::FileId fileid) { return {.kind = kind, .fileid = fileid}; }
PowerOp makeSetSize(metadata::FileId fileid, uint64_t size) {
  PowerOp op = makeOn(OpKind::SetSize, fileid);
  op.size = size;
  return op;
}

class RandomOps {
 public:
  RandomOps(std::shared_ptr<std::mt19937_64> random, size_t opCountMax) : m_random(std::move(random)), m_opCountMax(opCountMax) {}

  std::optional<PowerOp> operator()(const PowerModel& model, const std::set<metadata::FileId>& busy, size_t opCount) {
    if (opCount >= m_opCountMax) return std::nullopt;
    std::vector<std::string> idle;
    for (const auto& [name, fileid] : model.names())
      if (!busy.contains(fileid)) idle.push_back(name);
    const uint64_t choice = below(100);
    if (choice < 8 && !busy.contains(theJob)) return makeOn(OpKind::Optimize, 0);
    if (choice < 12 && (busy.empty() || model.mode() != protocol::WriteMode::Ram)) return makeOn(OpKind::Destage, 0);
    if (choice < 14 && busy.empty()) return switchMode();
    if (idle.empty() || choice < 20) {
      if (auto made = create(model, busy)) return made;
      if (idle.empty()) return std::nullopt;
    }
    const std::string name = idle[below(idle.size())];
    const metadata::FileId fileid = model.names().at(name);
    if (choice < 62) return write(fileid, model.size(fileid));
    if (choice < 67) return makeOn(OpKind::Read, fileid);
    if (choice < 74) return makeOn(OpKind::Commit, fileid);
    if (choice < 86) return makeSetSize(fileid, someSize());
    if (choice < 93 && busy.empty()) return rename(name);
    if (choice < 97 && busy.empty()) return makeNamed(OpKind::Remove, name);
    return makeOn(OpKind::Read, fileid);
  }

 private:
  uint64_t below(uint64_t count) { return (*m_random)() % count; }

  std::optional<PowerOp> create(const PowerModel& model, const std::set<metadata::FileId>& busy) {
    const std::string& name = fileNames[below(fileNames.size())];
    if (model.names().contains(name) || !busy.empty()) return std::nullopt;
    return makeNamed(OpKind::Create, name);
  }
  PowerOp switchMode() {
    PowerOp op = makeOn(OpKind::SetMode, 0);
    constexpr protocol::WriteMode modes[] = {protocol::WriteMode::Safe, protocol::WriteMode::Through, protocol::WriteMode::Ram};
    op.mode = modes[below(3)];
    return op;
  }
  std::optional<PowerOp> rename(const std::string& name) {
    const std::string& target = fileNames[below(fileNames.size())];
    if (target == name) return makeNamed(OpKind::Remove, name);
    return makeNamed(OpKind::Rename, name, target);
  }
  PowerOp write(metadata::FileId fileid, uint64_t size) {
    const FileArea& area = fileAreas[below(5) == 0 ? 1 : 0];
    uint64_t offset = below(area.length), length = 1 + below(6 * blockBytes);
    if (area.offset == 0 && below(4) == 0) offset = std::min(size, area.length - 1);
    if (below(2)) {
      offset = alignDown(offset, blockBytes);
      length = alignUp(length, blockBytes);
    }
    const uint64_t kind = below(10);
    const uint64_t content = kind == 0 ? 0 : kind < 5 ? 1 + below(contentsShared) : 10 + below(1'000'000'000);
    return makeWrite(fileid, area.offset + offset, std::min(length, area.length - offset), content, below(2) ? Stability::FileSync : Stability::Unstable);
  }
  uint64_t someSize() {
    const uint64_t choice = below(8);
    if (choice == 0) return fileAreas[1].offset + below(fileAreas[1].length);
    const uint64_t size = below(fileAreas[0].length + 1);
    return choice < 4 ? alignDown(size, blockBytes) : size;
  }

  std::shared_ptr<std::mt19937_64> m_random;
  const size_t m_opCountMax;
};

// The sequence of words on one file that is called "a" or "b".
class ScriptedOps {
 public:
  explicit ScriptedOps(std::vector<std::string> words) : m_words(std::move(words)) {}

  std::optional<PowerOp> operator()(const PowerModel& model, const std::set<metadata::FileId>&, size_t) {
    while (m_next < m_words.size()) {
      const std::string& name = model.names().contains(m_name) ? m_name : model.names().empty() ? m_name : model.names().begin()->first;
      m_name = name;
      const bool isThere = model.names().contains(m_name);
      const std::string& word = m_words[m_next];
      const bool needsFile = word != "optimize" && word != "destage";
      if (needsFile && !isThere) return makeNamed(OpKind::Create, m_name);
      ++m_next;
      return make(word, model);
    }
    return std::nullopt;
  }

 private:
  PowerOp make(const std::string& word, const PowerModel& model) {
    if (word == "optimize") return makeOn(OpKind::Optimize, 0);
    if (word == "destage") return makeOn(OpKind::Destage, 0);
    const metadata::FileId fileid = model.names().at(m_name);
    const uint64_t size = model.size(fileid), content = 100 + m_next;
    if (word == "write") return makeWrite(fileid, size, 2 * blockBytes + 700, content, Stability::Unstable);
    if (word == "overwrite") return makeWrite(fileid, 2500 + 600 * m_next, 2 * blockBytes, content);
    if (word == "truncate") return makeSetSize(fileid, size > truncatedSize ? truncatedSize : grownSize);
    if (word == "commit") return makeOn(OpKind::Commit, fileid);
    const std::string name = m_name;
    if (word == "remove") {
      m_name = m_name == "a" ? "b" : "a";
      return makeNamed(OpKind::Remove, name);
    }
    m_name = m_name == "a" ? "b" : "a";
    return makeNamed(OpKind::Rename, name, m_name);
  }

  static constexpr uint64_t truncatedSize = 5000, grownSize = 22'000;
  const std::vector<std::string> m_words;
  size_t m_next = 0;
  std::string m_name = "a";
};

std::vector<PowerOp> filling(size_t step, const PowerModel& model) {
  const auto file = [&](const char* name) { return model.names().at(name); };
  switch (step) {
    case 0: return {makeNamed(OpKind::Create, "a")};
    case 1: return {makeNamed(OpKind::Create, "b")};
    case 2: return {makeWrite(file("a"), 0, 4 * blockBytes, 1)};
    case 3: return {makeWrite(file("a"), 4 * blockBytes, 4 * blockBytes, 50)};
    case 4: return {makeWrite(file("b"), 0, 5 * blockBytes + 1000, 1)};
    default: return {};
  }
}

}  // namespace

Result<PowerStart> makeStart(StartKind kind, protocol::WriteMode mode) {
  const OpSource source = [kind](const PowerModel& model, const std::set<metadata::FileId>&, size_t opCount) -> std::optional<PowerOp> {
    if (kind == StartKind::Empty) return std::nullopt;
    auto ops = filling(opCount, model);
    if (!ops.empty()) return std::move(ops.front());
    if (opCount == 5) return makeOn(OpKind::Destage, 0);
    if (kind == StartKind::Optimized && opCount == 6) return makeOn(OpKind::Optimize, 0);
    return std::nullopt;
  };
  PowerStart nothing;
  nothing.model.setMode(mode);
  const bool fillsRing = kind == StartKind::Optimized && mode == protocol::WriteMode::Safe;
  const auto recording = record(nothing, source, {.atOnce = 1, .isStopped = true, .fillsRing = fillsRing});
  if (!recording) return fail(recording.error());
  PowerCursor cursor(nothing, *recording);
  cursor.advanceTo(recording->log.size());
  std::mt19937_64 random;
  PowerStart start{.medium = cursor.medium().afterCut(random, CutStyle::KeepAll), .model = cursor.alternatives().front(), .startNumber = 1};
  start.medium.share();
  return start;
}

OpSource randomOps(std::shared_ptr<std::mt19937_64> random, size_t opCountMax) { return RandomOps(std::move(random), opCountMax); }

Result<OpSource> scriptedOps(std::vector<std::string> words) {
  for (const std::string& word : words)
    if (std::ranges::find(workloadWords, word) == std::end(workloadWords)) return fail(ErrorCode::InvalidArgument, "no such operation: " + word);
  return ScriptedOps(std::move(words));
}

std::vector<std::vector<std::string>> allWorkloads(size_t opCountMax) {
  std::vector<std::vector<std::string>> all{{}};
  for (size_t begin = 0, length = 0; length < opCountMax; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const std::string_view word : workloadWords) {
        auto longer = all[begin];
        longer.emplace_back(word);
        all.push_back(std::move(longer));
      }
    }
  }
  all.erase(all.begin());
  return all;
}

}  // namespace quarry::test
