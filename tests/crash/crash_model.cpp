// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/crash_model.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace quarry::test {

namespace {
constexpr std::array<const char*, 7> kindNames = {"create", "write-stable", "write-unstable", "commit", "resize", "rename", "remove"};

uint64_t nextRandom(uint64_t& state) {  // splitmix64, public domain by S. Vigna: https://prng.di.unimi.it/splitmix64.c
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Tag tagAt(const Operation& operation, uint32_t index) { return operation.tag == 0 ? 0 : operation.tag + index; }
bool isWrite(const Operation& operation) {
  return operation.kind == Operation::Kind::WriteStable || operation.kind == Operation::Kind::WriteUnstable;
}

std::string lineOf(const Operation& operation) {
  std::ostringstream line;
  line << "begin " << kindNames[static_cast<size_t>(operation.kind)] << ' ' << operation.name << ' '
       << (operation.toName.empty() ? "-" : operation.toName) << ' ' << operation.firstUnit << ' ' << operation.unitCount << ' '
       << operation.tag << '\n';
  return line.str();
}

Result<Operation> operationOf(std::istream& line) {
  std::string kind;
  Operation operation;
  line >> kind >> operation.name >> operation.toName >> operation.firstUnit >> operation.unitCount >> operation.tag;
  const auto found = std::find(kindNames.begin(), kindNames.end(), kind);
  const bool fits = operation.firstUnit <= fileUnitsMax && operation.unitCount <= fileUnitsMax - operation.firstUnit;
  if (!line || found == kindNames.end() || !fits) return fail(ErrorCode::Corrupt, "the log has no such operation: " + kind);
  operation.kind = static_cast<Operation::Kind>(found - kindNames.begin());
  return operation;
}

void resizeFile(FileModel& file, uint32_t sizeUnits) {
  for (uint32_t unit = sizeUnits; unit < fileUnitsMax; ++unit) file.units[unit] = {};
  file.sizeUnits = sizeUnits;
  file.unsureSizes.clear();
}

void writeStable(FileModel& file, const Operation& write) {
  for (uint32_t i = 0; i < write.unitCount; ++i) file.units[write.firstUnit + i] = {tagAt(write, i), {}};
  file.sizeUnits = std::max(file.sizeUnits, write.firstUnit + write.unitCount);
  std::erase_if(file.unsureSizes, [&](uint32_t size) { return size <= file.sizeUnits; });
}

void writeUnsure(FileModel& file, const Operation& write) {
  for (uint32_t i = 0; i < write.unitCount; ++i) file.units[write.firstUnit + i].unsure.push_back(tagAt(write, i));
  const uint32_t end = write.firstUnit + write.unitCount;
  if (end > file.latestSize()) file.unsureSizes.push_back(end);
}

void commitFile(FileModel& file) {
  for (FileModel::Unit& unit : file.units) unit = {unit.latest(), {}};
  file.sizeUnits = file.latestSize();
  file.unsureSizes.clear();
}
}  // namespace

void fillUnit(Tag tag, MutableBytes unit) {
  std::memset(unit.data(), 0, unit.size());
  if (tag == 0) return;
  uint64_t state = tag;
  for (size_t at = 0; at < unitBytes / 2; at += sizeof(uint64_t)) storeLittle(unit.data() + at, nextRandom(state));
  for (size_t at = unitBytes / 2; at < unitBytes; at += sizeof(uint64_t)) storeLittle(unit.data() + at, tag);
}

bool FileModel::Unit::mayBe(Tag tag) const {
  return tag == acknowledged || std::find(unsure.begin(), unsure.end(), tag) != unsure.end();
}

bool FileModel::maySizeBe(uint32_t size) const {
  return size == sizeUnits || std::find(unsureSizes.begin(), unsureSizes.end(), size) != unsureSizes.end();
}

Result<CrashModel> CrashModel::open(const std::string& path) {
  CrashModel model(path);
  if (std::ifstream log(path); log)
    if (auto replayed = model.replay(log); !replayed) return fail(replayed.error());
  model.m_log.open(path, std::ios::app);
  if (!model.m_log) return fail(ErrorCode::IoError, path + " cannot be written");
  return model;
}

Result<void> CrashModel::replay(std::istream& log) {
  for (std::string text; std::getline(log, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "done" && m_pending) {
      settlePending(Outcome::Happened);
    } else if (word == "begin") {
      auto operation = operationOf(line);
      if (!operation) return fail(operation.error());
      m_pending = *operation;
    } else if (word == "file") {
      if (auto read = replayFile(line); !read) return read;
    } else {
      return fail(ErrorCode::Corrupt, m_path + " has a line that makes no sense: " + text);
    }
  }
  return {};
}

// file NAME SIZE {FIRST COUNT TAG}…
Result<void> CrashModel::replayFile(std::istream& line) {
  std::string name;
  FileModel file;
  line >> name >> file.sizeUnits;
  if (!line) return fail(ErrorCode::Corrupt, m_path + " has a broken file line");
  Operation run;
  while (line >> run.firstUnit >> run.unitCount >> run.tag) {
    if (run.firstUnit + run.unitCount > file.sizeUnits) return fail(ErrorCode::Corrupt, m_path + " names units beyond a file's end");
    writeStable(file, run);
  }
  m_files[name] = std::move(file);
  return {};
}

Result<void> CrashModel::begin(const Operation& operation) {
  m_log << lineOf(operation) << std::flush;
  if (!m_log) return fail(ErrorCode::IoError, m_path + " cannot be written");
  m_pending = operation;
  return {};
}

Result<void> CrashModel::done() {
  m_log << "done\n" << std::flush;
  if (!m_log) return fail(ErrorCode::IoError, m_path + " cannot be written");
  settlePending(Outcome::Happened);
  ++m_acknowledgedCount;
  return {};
}

void CrashModel::apply(const Operation& operation) {
  switch (operation.kind) {
    case Operation::Kind::Create: m_files[operation.name] = {}; break;
    case Operation::Kind::WriteStable: writeStable(m_files[operation.name], operation); break;
    case Operation::Kind::WriteUnstable: writeUnsure(m_files[operation.name], operation); break;
    case Operation::Kind::Commit: commitFile(m_files[operation.name]); break;
    case Operation::Kind::Resize: resizeFile(m_files[operation.name], operation.unitCount); break;
    case Operation::Kind::Remove: m_files.erase(operation.name); break;
    case Operation::Kind::Rename: {
      FileModel moved = std::move(m_files[operation.name]);
      m_files.erase(operation.name);
      m_files[operation.toName] = std::move(moved);
      break;
    }
  }
}

void CrashModel::makePendingUnsure() {
  if (m_pending && isWrite(*m_pending)) writeUnsure(m_files[m_pending->name], *m_pending);
}

void CrashModel::settlePending(Outcome outcome) {
  if (outcome == Outcome::Happened && m_pending) apply(*m_pending);
  m_pending.reset();
}

Result<void> CrashModel::rewrite() {
  m_log.close();
  const std::string fresh = m_path + ".new";
  std::ofstream log(fresh, std::ios::trunc);
  for (const auto& [name, file] : m_files) {
    log << "file " << name << ' ' << file.sizeUnits;
    for (uint32_t unit = 0; unit < file.sizeUnits;) {
      const Tag tag = file.units[unit].acknowledged;
      uint32_t count = 1;
      while (unit + count < file.sizeUnits && file.units[unit + count].acknowledged == (tag == 0 ? 0 : tag + count)) ++count;
      if (tag != 0) log << ' ' << unit << ' ' << count << ' ' << tag;
      unit += count;
    }
    log << '\n';
  }
  log.close();
  if (!log) return fail(ErrorCode::IoError, fresh + " cannot be written");
  std::filesystem::rename(fresh, m_path);
  m_log.open(m_path, std::ios::app);
  return {};
}

}  // namespace quarry::test
