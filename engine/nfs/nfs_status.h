// SPDX-License-Identifier: GPL-3.0-or-later
// The status words of NFSv3 (RFC 1813 section 2.6) and MOUNT v3 (section 5.1.4, the same numbers), and the one place that maps errors to them.
// Threads: pure functions.
#pragma once

#include <cstdint>

#include "engine/base/result.h"

namespace quarry::nfs {

enum class Nfsstat3 : uint32_t {
  Ok = 0,
  Perm = 1,
  NoEnt = 2,
  Io = 5,
  NxIo = 6,
  Acces = 13,
  Exist = 17,
  XDev = 18,
  NoDev = 19,
  NotDir = 20,
  IsDir = 21,
  Inval = 22,
  FBig = 27,
  NoSpc = 28,
  RoFs = 30,
  MLink = 31,
  NameTooLong = 63,
  NotEmpty = 66,
  DQuot = 69,
  Stale = 70,
  BadHandle = 10001,
  NotSync = 10002,
  BadCookie = 10003,
  NotSupp = 10004,
  TooSmall = 10005,
  ServerFault = 10006,
  BadType = 10007,
  Jukebox = 10008,  // try again later
};

Nfsstat3 toNfsStatus(ErrorCode code);
// mountstat3 has fewer values, and clients fail to decode any other.
Nfsstat3 toMountStatus(ErrorCode code);

}  // namespace quarry::nfs
