// SPDX-License-Identifier: GPL-3.0-or-later
// nfs_fill: writes random data into a new file, stable, until MIB are written or the server refuses, and prints what the server said. Raw
// calls, because libnfs turns every refused write into EFAULT.
//   nfs_fill PORT EXPORT FOLDER NAME MIB    PORT: of NFS and MOUNT on 127.0.0.1; FOLDER and NAME are made
// Prints "BYTES nfsstat3 STATUS". Exit status: 0 the server answered every call, 1 not, 2 wrong usage.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "tests/support/nfs_fixture.h"

using namespace quarry;

namespace {
constexpr size_t writeBytes = 1 << 20;

std::string randomData(std::mt19937_64& random) {
  std::string data(writeBytes, '\0');
  for (size_t at = 0; at < data.size(); at += 8) storeLittle<uint64_t>(reinterpret_cast<std::byte*>(data.data() + at), random());
  return data;
}

int fill(uint16_t port, const std::string& exportPath, const std::string& folder, const std::string& name, uint64_t bytes) {
  test::NfsClient client(port);
  const std::string root = client.mountRoot(exportPath);
  const std::string file = root.empty() ? std::string() : client.makeFile(client.makeFolder(root, folder), name);
  if (file.empty()) {
    std::fprintf(stderr, "nfs_fill: %s%s/%s cannot be made\n", exportPath.c_str(), folder.c_str(), name.c_str());
    return 1;
  }
  std::mt19937_64 random(1);
  uint64_t written = 0;
  uint32_t status = 0;
  while (written < bytes && status == 0) {
    const test::NfsReply reply = client.write(file, written, randomData(random));
    status = reply.status;
    if (status == 0) written += writeBytes;
  }
  std::printf("%llu nfsstat3 %u\n", static_cast<unsigned long long>(written), status);
  return 0;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: nfs_fill PORT EXPORT FOLDER NAME MIB\n");
    return 2;
  }
  return fill(static_cast<uint16_t>(std::atoi(argv[1])), argv[2], argv[3], argv[4], std::strtoull(argv[5], nullptr, 10) << 20);
}
