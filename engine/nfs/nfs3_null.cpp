// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

Task<AcceptStat> nfs3Null(NfsService&, const RequestContext&, XdrReader&, Reply&) {
  co_return AcceptStat::Success;
}

}  // namespace quarry::nfs
