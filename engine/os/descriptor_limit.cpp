// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/os/descriptor_limit.h"

#include <sys/resource.h>

namespace quarry::os {

namespace {
constexpr uint64_t usualLimit = 1024;  // where the system does not even say
}

uint64_t raiseDescriptorLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return usualLimit;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) return raised.rlim_cur;
  return limit.rlim_cur;
}

}  // namespace quarry::os
