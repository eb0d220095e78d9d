// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts that may mount a vstorage, in words. Pure function, safe from any thread.
#pragma once

#include <QString>
#include <string>
#include <vector>

namespace quarry {

QString clientsText(const std::vector<std::string>& clients);  // "10.0.0.0/24, 10.0.0.7"; "this machine only" for none

}  // namespace quarry
