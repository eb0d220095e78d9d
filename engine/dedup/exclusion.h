// SPDX-License-Identifier: GPL-3.0-or-later
// Which files a job leaves alone. A pattern is a shell glob; without '/' it is compared with each part of the path ("*.iso", "lost+found"), with
// '/' with the path and each folder above it ("backup/*"), where '*' does not cross a '/'. Pure; safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace quarry::dedup {

// The first pattern that excludes the path; nullopt when none does. ".lck*" and "*.vswp" (with it "vmx-*.vswp") always count: ESXi's locks
// must never wait, and its swap files are worthless after the VM stops.
std::optional<std::string> excludedBy(const std::string& path, const std::vector<std::string>& patterns);

}  // namespace quarry::dedup
