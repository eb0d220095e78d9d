// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzzers' driver where libFuzzer is not linked: runs each seed, then a fixed number of random mutations of the seeds with
// a fixed random start, so that the run is the same everywhere. A crash or a failed check ends the process: the test fails.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
std::vector<std::string> fuzzSeeds();

namespace {
#ifdef __SANITIZE_ADDRESS__
constexpr int runCount = 4000;  // each run costs several times as much
#else
constexpr int runCount = 20000;
#endif

// One random change: flip a bit, set a byte, insert, erase, cut, or splice with another seed.
void mutate(std::string& input, const std::vector<std::string>& seeds, std::mt19937_64& random) {
  const size_t at = input.empty() ? 0 : random() % input.size();
  switch (random() % 6) {
    case 0: if (!input.empty()) input[at] = static_cast<char>(input[at] ^ (1 << (random() % 8))); break;
    case 1: if (!input.empty()) input[at] = static_cast<char>(random() % 2 ? 0xff : random()); break;
    case 2: input.insert(at, 1 + random() % 8, static_cast<char>(random())); break;
    case 3: input.erase(at, 1 + random() % 8); break;
    case 4: input.resize(at); break;
    default: input = input.substr(0, at) + seeds[random() % seeds.size()].substr(0, 64 + random() % 4096); break;
  }
}
}  // namespace

int main() {
  const std::vector<std::string> seeds = fuzzSeeds();
  std::mt19937_64 random(20261130);
  for (const std::string& seed : seeds) LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(seed.data()), seed.size());
  for (int run = 0; run < runCount && !seeds.empty(); ++run) {
    std::string input = seeds[random() % seeds.size()];
    for (size_t changes = 1 + random() % 6; changes > 0; --changes) mutate(input, seeds, random);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  }
  std::printf("%d runs over %zu seeds\n", runCount, seeds.size());
  return seeds.empty() ? 1 : 0;
}
