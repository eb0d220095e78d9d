// SPDX-License-Identifier: GPL-3.0-or-later
// nfs_tree: copies folders into an NFS export and checks them there, without mounting it.
//   nfs_tree put FOLDER URL              copies everything below FOLDER; zero blocks become holes
//   nfs_tree diff FOLDER URL             compares byte by byte; prints the first difference of each file
//   nfs_tree sum URL                     SHA-256 of every file, as `sha256sum` run inside the folder prints it, sorted by name
//   nfs_tree ls URL                      size, fileid, path
//   nfs_tree scribble FOLDER URL SEED    overwrites random ranges of every file, the same in FOLDER and in the export
//   nfs_tree nonzero FOLDER              bytes of all 4 KiB blocks below FOLDER that are not zero
// URL: nfs://127.0.0.1/EXPORT?nfsport=P&mountport=P. Exit status: 0 done and same, 1 different or failed, 2 wrong usage.
#include <openssl/evp.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/tools/nfs_session.h"

namespace fs = std::filesystem;
using namespace quarry;
using test::NfsEntry;
using test::NfsFile;
using test::NfsSession;

namespace {
constexpr size_t pieceBytes = 1024 * 1024;

struct LocalFile {
  fs::path local;
  std::string remote;
  bool isDirectory;
};

std::vector<LocalFile> localTree(const fs::path& root) {
  std::vector<LocalFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_directory() || entry.is_regular_file())
      files.push_back({entry.path(), "/" + fs::relative(entry.path(), root).string(), entry.is_directory()});
  std::sort(files.begin(), files.end(), [](const LocalFile& a, const LocalFile& b) { return a.remote < b.remote; });
  return files;
}

size_t readPiece(std::ifstream& in, MutableBytes into) {
  in.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
  return static_cast<size_t>(in.gcount());
}

// Writes the stretches of 4 KiB blocks that are not zero.
Result<void> writeNonZero(NfsFile& file, uint64_t offset, Bytes piece) {
  size_t from = 0;
  while (from < piece.size()) {
    const size_t blockEnd = std::min(from + blockBytes, piece.size());
    if (isZero(piece.subspan(from, blockEnd - from))) {
      from = blockEnd;
      continue;
    }
    size_t end = blockEnd;
    while (end < piece.size() && !isZero(piece.subspan(end, std::min<size_t>(blockBytes, piece.size() - end))))
      end = std::min(end + blockBytes, piece.size());
    if (auto written = file.write(offset + from, piece.subspan(from, end - from)); !written) return written;
    from = end;
  }
  return {};
}

Result<void> putFile(NfsSession& session, const LocalFile& from) {
  auto file = session.create(from.remote, NfsSession::Writes::Unstable);
  if (!file) return fail(file.error());
  std::ifstream in(from.local, std::ios::binary);
  if (!in) return fail(ErrorCode::IoError, from.local.string() + " cannot be read");
  AlignedBuffer buffer(pieceBytes);
  uint64_t offset = 0;
  while (const size_t size = readPiece(in, buffer.bytes())) {
    if (auto written = writeNonZero(**file, offset, buffer.bytes().first(size)); !written) return written;
    offset += size;
  }
  if (auto sized = (*file)->resize(offset); !sized) return sized;
  return (*file)->commit();
}

Result<void> put(NfsSession& session, const fs::path& root) {
  for (const LocalFile& file : localTree(root)) {
    auto done = file.isDirectory ? session.makeDirectory(file.remote) : putFile(session, file);
    if (!done) return done;
  }
  return {};
}

// Corrupt with the place of the first difference.
Result<void> compareFile(NfsSession& session, const LocalFile& local) {
  auto file = session.openToRead(local.remote);
  if (!file) return fail(file.error());
  const auto size = (*file)->size();
  if (!size) return fail(size.error());
  if (*size != fs::file_size(local.local)) return fail(ErrorCode::Corrupt, local.remote + ": size " + std::to_string(*size));
  std::ifstream in(local.local, std::ios::binary);
  AlignedBuffer here(pieceBytes), there(pieceBytes);
  for (uint64_t offset = 0; offset < *size;) {
    const size_t count = readPiece(in, here.bytes());
    const auto got = (*file)->read(offset, there.bytes().first(count));
    if (!got) return fail(got.error());
    if (count == 0 || *got != count) return fail(ErrorCode::Corrupt, local.remote + ": ends at " + std::to_string(offset + *got));
    const auto differs = std::mismatch(here.data(), here.data() + count, there.data()).first - here.data();
    if (static_cast<size_t>(differs) != count)
      return fail(ErrorCode::Corrupt, local.remote + ": differs at " + std::to_string(offset + static_cast<uint64_t>(differs)));
    offset += count;
  }
  return {};
}

Result<void> diff(NfsSession& session, const fs::path& root) {
  size_t differentCount = 0;
  for (const LocalFile& local : localTree(root)) {
    if (local.isDirectory) continue;
    if (auto same = compareFile(session, local); !same) {
      std::printf("%s\n", same.error().message.c_str());
      ++differentCount;
    }
  }
  if (differentCount > 0) return fail(ErrorCode::Corrupt, std::to_string(differentCount) + " files differ");
  return {};
}

Result<std::string> sha256(NfsFile& file) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
  AlignedBuffer buffer(pieceBytes);
  for (uint64_t offset = 0;;) {
    const auto got = file.read(offset, buffer.bytes());
    if (!got) return fail(got.error());
    EVP_DigestUpdate(digest.get(), buffer.data(), *got);
    offset += *got;
    if (*got < buffer.size()) break;
  }
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned count = 0;
  EVP_DigestFinal_ex(digest.get(), bytes, &count);
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    char pair[3];
    std::snprintf(pair, sizeof pair, "%02x", bytes[i]);
    text += pair;
  }
  return text;
}

// A file that cannot be read is reported and the others follow: a damaged file must not hide the rest.
Result<void> sum(NfsSession& session) {
  auto tree = session.listTree("/");
  if (!tree) return fail(tree.error());
  std::sort(tree->begin(), tree->end(), [](const NfsEntry& a, const NfsEntry& b) { return a.path < b.path; });
  size_t failedCount = 0;
  for (const NfsEntry& entry : *tree) {
    if (entry.isDirectory) continue;
    auto file = session.openToRead(entry.path);
    const auto text = file ? sha256(**file) : Result<std::string>(fail(file.error()));
    if (text) {
      std::printf("%s  .%s\n", text->c_str(), entry.path.c_str());
    } else {
      std::fprintf(stderr, "nfs_tree: %s\n", text.error().message.c_str());
      ++failedCount;
    }
  }
  if (failedCount > 0) return fail(ErrorCode::IoError, std::to_string(failedCount) + " files could not be read");
  return {};
}

Result<void> list(NfsSession& session) {
  const auto tree = session.listTree("/");
  if (!tree) return fail(tree.error());
  for (const NfsEntry& entry : *tree)
    std::printf("%14llu %12llu %s%s\n", static_cast<unsigned long long>(entry.size), static_cast<unsigned long long>(entry.fileid),
                entry.path.c_str(), entry.isDirectory ? "/" : "");
  return {};
}

// Random ranges of random length and alignment: some random bytes, some zeros, some copied from elsewhere in the same file.
Result<void> scribbleFile(NfsSession& session, const LocalFile& local, std::mt19937_64& random) {
  const uint64_t size = fs::file_size(local.local);
  if (size < 2) return {};
  auto file = session.openToWrite(local.remote, NfsSession::Writes::Unstable);
  if (!file) return fail(file.error());
  std::fstream here(local.local, std::ios::binary | std::ios::in | std::ios::out);
  const uint64_t rangeCount = 4 + std::min<uint64_t>(size / (8 << 20), 200);
  std::string data;
  for (uint64_t range = 0; range < rangeCount; ++range) {
    const uint64_t length = 1 + random() % std::min<uint64_t>(size, 100'000);
    const uint64_t offset = random() % (size - length + 1);
    data.assign(length, '\0');
    if (range % 4 == 0) {
      here.seekg(static_cast<std::streamoff>(random() % (size - length + 1)));
      here.read(data.data(), static_cast<std::streamsize>(length));
    } else if (range % 4 != 1) {
      for (char& c : data) c = static_cast<char>(random());
    }
    here.seekp(static_cast<std::streamoff>(offset));
    here.write(data.data(), static_cast<std::streamsize>(length));
    if (!here) return fail(ErrorCode::IoError, local.local.string() + " cannot be changed");
    if (auto written = (*file)->write(offset, asBytes(data)); !written) return written;
  }
  return (*file)->commit();
}

Result<void> scribble(NfsSession& session, const fs::path& root, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const LocalFile& local : localTree(root)) {
    if (local.isDirectory) continue;
    if (auto done = scribbleFile(session, local, random); !done) return done;
  }
  return {};
}

// What a store has to hold at most: the sum that savings are counted against, measured without the engine.
Result<void> countNonZero(const fs::path& root) {
  uint64_t bytes = 0;
  AlignedBuffer buffer(pieceBytes);
  for (const LocalFile& local : localTree(root)) {
    if (local.isDirectory) continue;
    std::ifstream in(local.local, std::ios::binary);
    if (!in) return fail(ErrorCode::IoError, local.local.string() + " cannot be read");
    while (const size_t size = readPiece(in, buffer.bytes()))
      for (size_t at = 0; at < size; at += blockBytes)
        if (!isZero(buffer.bytes().subspan(at, std::min<size_t>(blockBytes, size - at)))) bytes += blockBytes;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(bytes));
  return {};
}

int usage() {
  std::fprintf(stderr, "usage: nfs_tree put|diff FOLDER URL | sum|ls URL | scribble FOLDER URL SEED | nonzero FOLDER\n");
  return 2;
}

Result<void> runOnExport(const std::vector<std::string>& arguments) {
  const std::string& verb = arguments[0];
  auto session = NfsSession::mount(arguments[verb == "sum" || verb == "ls" ? 1 : 2]);
  if (!session) return fail(session.error());
  if (verb == "put") return put(**session, arguments[1]);
  if (verb == "diff") return diff(**session, arguments[1]);
  if (verb == "sum") return sum(**session);
  if (verb == "ls") return list(**session);
  return scribble(**session, arguments[1], std::stoull(arguments[3]));
}
}  // namespace

int main(int argumentCount, char** argumentValues) {
  static const std::map<std::string, size_t> verbs = {{"put", 3}, {"diff", 3}, {"sum", 2}, {"ls", 2}, {"scribble", 4}, {"nonzero", 2}};
  const std::vector<std::string> arguments(argumentValues + 1, argumentValues + argumentCount);
  const auto verb = verbs.find(arguments.empty() ? "" : arguments[0]);
  if (verb == verbs.end() || arguments.size() != verb->second) return usage();
  const auto done = verb->first == "nonzero" ? countNonZero(arguments[1]) : runOnExport(arguments);
  if (done) return 0;
  std::fprintf(stderr, "nfs_tree: %s\n", done.error().message.c_str());
  return 1;
}
