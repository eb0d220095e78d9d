// SPDX-License-Identifier: GPL-3.0-or-later
// Opens what a power cut left and looks whether it is a store that may be there: it opens without complaint, every file reads as what was
// promised, what lies beyond a size is zeros when the file grows, optimize changes nothing that can be read, no fileid comes twice, and
// nothing of removed files is left lying about.
//
// Threads: one.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/powercut/power_model.h"
#include "tests/support/sim_medium.h"

namespace quarry::test {

struct Survivor {
  std::optional<std::string> fault;
  PowerModel model;  // of the alternatives the one that it is, with what was seen
};

Survivor checkSurvivor(const SimMedium& medium, int startNumber, const std::vector<PowerModel>& alternatives, std::mt19937_64& random);

}  // namespace quarry::test
